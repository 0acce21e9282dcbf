// The releases' page: its files, and the choice of a compiler. The page begins here.

import { choice } from "../parts/choice.js";
import { loadOr } from "../frame/data.js";
import { HistoryScreen } from "../frame/history_screen.js";
import { closureView } from "./closure.js";
import { missingView } from "./missing.js";
import { start } from "../frame/opening.js";
import { ReleasesPage } from "./page.js";
import { answer } from "./sentence.js";
import { stepsView } from "./steps.js";
import { twoReleasesView } from "./two_releases.js";
import { machinesSection, VIEWS } from "./views.js";

const NOTHING = "No kernel was measured with any release: the last section says why.";
const NO_COMPILER = { versions: [], releases: [], sources: [], steps: [], kernels: {}, backends: [], charts: {}, duets: null };
const NO_KERNEL = { series: [], charts: {}, sources: [] };
const HOW = [
  "`make releases` measures every release in releases.toml",
  "`make releases COMPILER=numba` one compiler’s",
  "`make site` then writes this page.",
].join("; ");

class ReleasesScreen extends HistoryScreen {
  sentences = answer;
  stepsView = stepsView;
  contents = { pins: twoReleasesView, machines: machinesSection, chain: closureView, missing: missingView };

  /** Fetch the compiler's file, then the kernel's; a file that can't be read affects only its own sections. */
  async load(isCurrent) {
    const { page } = this;
    const message = page.choose();
    const [ladder, unread] = await loadOr(page.entry.file, NO_COMPILER);
    if (!isCurrent()) return "";
    const chosen = page.takeCompiler(ladder);
    const path = ladder.kernels[page.kernel.name];
    const [data, kernel] = path ? await loadOr(path, NO_KERNEL) : [NO_KERNEL, unread ?? new Error(NOTHING)];
    if (!isCurrent()) return "";
    page.data = data;
    this.problems = { compiler: unread, kernel };
    return [message, path ? chosen : ""].filter(Boolean).join(" ");
  }

  problemOf(view) {
    return view.all ? this.problems.compiler : this.problems.kernel;
  }

  controls() {
    const { page } = this;
    const options = page.entries.map((entry) => page.compilerOption(entry));
    const change = (compiler) => this.#changeCompiler(compiler);
    return [choice("compiler", "Compiler", options, page.entry.compiler, change), ...super.controls()];
  }

  /** A function that changes a part of the state. The chosen compiler stays, also beyond a machine that lacks it; another
   * machine measured other releases. */
  change(name) {
    const releases = name === "machine" ? { from: "", to: "", at: "" } : {};
    const { page } = this;
    return (value) =>
      page.state.change({ compiler: page.state.now.compiler || page.entry.compiler, [name]: value, size: "", figure: "", ...releases });
  }

  /** Show another compiler. A machine that a visitor chose stays if it has the compiler. */
  #changeCompiler(compiler) {
    const { entries, state } = this.page;
    const { machine } = entries.find((entry) => entry.compiler === compiler);
    state.change({ compiler, machine: state.now.machine && machine, size: "", figure: "", from: "", to: "", at: "" });
  }

  title() {
    return `${this.page.kernelName}: ${this.page.compiler}, release by release`;
  }
}

start(ReleasesPage, ReleasesScreen, VIEWS, { charts: "charts/ladder.json", none: "No release has been measured yet", how: HOW });
