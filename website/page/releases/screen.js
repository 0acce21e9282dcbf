// The releases' page: its sections and controls.

import { choice, ofKernel, ofMachine } from "../parts/choice.js";
import { loadData } from "../frame/data.js";
import { element } from "../parts/dom.js";
import { Screen } from "../frame/screen.js";
import { answer } from "./sentence.js";
import { missingView } from "./missing.js";
import { stepsView } from "./steps.js";
import { VIEWS } from "./views.js";

const NO_COMPILER = { releases: [], sources: [], steps: [], kernels: {}, backends: [], charts: {} };
const NO_KERNEL = { series: [], charts: {}, sources: [] };

export class ReleasesScreen extends Screen {
  constructor(page) {
    super(page, VIEWS);
  }

  /** Fetch the compiler's file, then the kernel's; a file that can't be read affects its own sections alone. */
  async load(isCurrent) {
    const { page } = this;
    const replaced = page.choose();
    let notes = [replaced];
    this.problems = {};
    try {
      const ladder = await loadData(page.entry.file);
      if (!isCurrent()) return "";
      notes = [replaced, page.takeCompiler(ladder)];
      if (!page.kernel.name) throw new Error("No kernel was measured with any release: `make releases` measures them.");
      const data = await loadData(page.ladder.kernels[page.kernel.name]).catch((error) => {
        this.problems.kernel = error;
        return NO_KERNEL;
      });
      if (!isCurrent()) return "";
      page.takeKernel(data);
    } catch (error) {
      if (!isCurrent()) return "";
      this.problems = { compiler: error, kernel: error };
      page.takeCompiler(NO_COMPILER);
      page.takeKernel(NO_KERNEL);
    }
    return notes.filter(Boolean).join(" ");
  }

  problemOf(view) {
    return view.all ? this.problems.compiler : this.problems.kernel;
  }

  controls() {
    const { page } = this;
    const change = (name) => (value) => page.state.change({ [name]: value, figure: "" });
    return [
      choice(
        "compiler",
        "Compiler",
        page.entries.map(({ compiler, count, newest }) => [compiler, `${compiler}: ${count} releases, to ${newest}`]),
        page.entry.compiler,
        change("compiler"),
      ),
      choice("kernel", "Kernel", page.kernels.map(ofKernel), page.kernel.name, change("kernel")),
      choice("machine", "Machine", page.machines.map(ofMachine), page.machine.id, change("machine")),
    ];
  }

  answer() {
    if (this.problems.kernel) throw this.problems.kernel;
    const { headline, lede } = answer(this.page);
    return [
      element("p", { class: "answer" }, headline),
      element("p", { class: "lede" }, lede.join(" ")),
      stepsView(this.page),
    ];
  }

  headline() {
    return this.problems.kernel ? "" : answer(this.page).headline;
  }

  title() {
    return `${this.page.kernelName}: ${this.page.compiler}, release by release`;
  }

  draw() {
    this.sections.put("missing", () => {
      if (this.problems.compiler) throw this.problems.compiler;
      return missingView(this.page);
    });
  }

  showAll() {
    this.putAnswer();
  }
}
