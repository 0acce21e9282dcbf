// The releases' page: its files, and the choice of a compiler.

import { choice } from "../parts/choice.js";
import { loadData } from "../frame/data.js";
import { HistoryScreen } from "../frame/history_screen.js";
import { closureView } from "./closure.js";
import { missingView } from "./missing.js";
import { machinesSection, pinsView } from "./pins.js";
import { answer } from "./sentence.js";
import { stepsView } from "./steps.js";
import { VIEWS } from "./views.js";

const NO_COMPILER = { releases: [], sources: [], steps: [], kernels: {}, backends: [], charts: {}, duets: null };
const NO_KERNEL = { series: [], charts: {}, sources: [] };

export class ReleasesScreen extends HistoryScreen {
  constructor(page) {
    super(page, VIEWS, { answer, stepsView, others: { pins: pinsView, machines: machinesSection, chain: closureView, missing: missingView } });
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

  showAll() {
    super.showAll();
    this.draw();
  }

  controls() {
    const { page } = this;
    const options = page.entries.map((entry) => page.ofCompiler(entry));
    const change = (compiler) => this.#changeCompiler(compiler);
    return [choice("compiler", "Compiler", options, page.entry.compiler, change), ...super.controls()];
  }

  /** Show another compiler, on another machine where this one does not have it. */
  #changeCompiler(compiler) {
    const { machine } = this.page.entries.find((entry) => entry.compiler === compiler);
    this.page.state.change({ compiler, machine, size: "", figure: "" });
  }

  title() {
    return `${this.page.kernelName}: ${this.page.compiler}, release by release`;
  }
}
