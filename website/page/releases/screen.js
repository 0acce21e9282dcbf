// The releases' page: its sections, and which of them a change of the state redraws.

import { choice, ofKernel, ofMachine } from "../parts/choice.js";
import { loadData } from "../frame/data.js";
import { FigureDialog } from "../frame/provenance.js";
import { element } from "../parts/dom.js";
import { keepFocus } from "../parts/focus.js";
import { showMessage } from "../frame/opening.js";
import { answer } from "./sentence.js";
import { missingView } from "./missing.js";
import { ALL, stepsView } from "./steps.js";
import { VIEWS } from "./views.js";
import { differs, Sections } from "../frame/sections.js";

const NO_COMPILER = { releases: [], sources: [], steps: [], kernels: {}, backends: [], charts: {} };
const NO_KERNEL = { series: [], charts: {}, sources: [] };

const at = (id) => document.getElementById(id);

export class ReleasesScreen {
  #turn = 0; // counts the calls of #show; a slower answer to an earlier one is dropped

  constructor(page) {
    this.page = page;
    this.sections = new Sections(page, VIEWS);
    this.dialog = new FigureDialog(page, at("provenance"));
  }

  /** Draw the page of the address, and again at each change of it. */
  async begin() {
    this.page.state.onchange((next, before) => this.#changed(next, before));
    await this.#show();
    this.sections.navigation.goTo(this.page.state.now.view);
  }

  async #changed(next, before) {
    const other = (...names) => differs(next, before, ...names);
    this.page.tip.hide();
    if (other("compiler", "kernel", "machine")) await this.#show();
    else if (other("hide")) this.#redraw();
    if (other("sort")) this.sections.sort();
    if (other("open")) this.#open(before);
    if (other("figure")) await this.dialog.show();
    if (other("view") && next.view) this.sections.navigation.goTo(next.view);
    this.sections.navigation.update();
  }

  /** Fetch the compiler's file, then the kernel's; a file that can't be read affects its own sections alone. */
  async #show() {
    const turn = ++this.#turn;
    const { page } = this;
    const replaced = page.choose();
    let notes = [replaced];
    this.problems = {};
    try {
      const ladder = await loadData(page.entry.file);
      if (turn !== this.#turn) return;
      notes = [replaced, page.takeCompiler(ladder)];
      if (!page.kernel.name) throw new Error("No kernel was measured with any release: `make releases` measures them.");
      const data = await loadData(page.ladder.kernels[page.kernel.name]).catch((error) => {
        this.problems.kernel = error;
        return NO_KERNEL;
      });
      if (turn !== this.#turn) return;
      page.takeKernel(data);
    } catch (error) {
      if (turn !== this.#turn) return;
      this.problems = { compiler: error, kernel: error };
      page.takeCompiler(NO_COMPILER);
      page.takeKernel(NO_KERNEL);
    }
    showMessage(notes.filter(Boolean).join(" "));
    this.#redraw();
    this.sections.navigation.update();
    if (page.state.now.figure) await this.dialog.show();
  }

  #redraw() {
    const restore = keepFocus();
    const { compiler, kernel } = this.problems;
    this.#controls();
    this.#answer();
    for (const view of VIEWS.filter((view) => view.charts)) this.sections.charts(view, view.all ? compiler : kernel);
    this.sections.put("missing", () => this.#contentOr(compiler, () => missingView(this.page)));
    const { page } = this;
    at("announcement").textContent = kernel ? "" : answer(page).headline;
    document.title = `${page.kernelName}: ${page.compiler}, release by release`;
    restore();
  }

  #answer() {
    this.sections.put("answer", () => this.#contentOr(this.problems.kernel, () => answerView(this.page)));
  }

  #contentOr(problem, content) {
    if (problem) throw problem;
    return content();
  }

  #controls() {
    const { page } = this;
    const change = (name) => (value) => page.state.change({ [name]: value, figure: "" });
    at("controls").replaceChildren(
      choice(
        "compiler",
        "Compiler",
        page.entries.map(({ compiler, count, newest }) => [compiler, `${compiler}: ${count} releases, to ${newest}`]),
        page.entry.compiler,
        change("compiler"),
      ),
      choice("kernel", "Kernel", page.kernels.map(ofKernel), page.kernel.name, change("kernel")),
      choice("machine", "Machine", page.machines.map(ofMachine), page.machine.id, change("machine")),
    );
  }

  #open(before) {
    this.sections.open();
    if (this.page.state.now.open.includes(ALL) !== before.open.includes(ALL)) this.#answer();
  }
}

/** The nodes of the answer. */
function answerView(page) {
  const { headline, lede } = answer(page);
  return [
    element("p", { class: "answer" }, headline),
    element("p", { class: "lede" }, lede.join(" ")),
    stepsView(page),
  ];
}
