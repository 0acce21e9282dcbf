// The commits' page: its sections and controls.

import { choice, ofKernel, ofMachine } from "../parts/choice.js";
import { loadData } from "../frame/data.js";
import { element } from "../parts/dom.js";
import { Screen } from "../frame/screen.js";
import { answer } from "./sentence.js";
import { stepsView } from "./steps.js";
import { missingView, VIEWS } from "./views.js";

const NO_KERNEL = { commits: [], sources: [], series: [], missing: [], charts: {} };

export class CommitsScreen extends Screen {
  constructor(page) {
    super(page, VIEWS);
  }

  /** Fetch the kernel's file and the machine's steps; a file that can't be read affects its own sections alone. */
  async load(isCurrent) {
    const { page } = this;
    const message = page.choose();
    const files = [page.machine.kernels[page.kernel.name], page.machine.steps];
    const [data, steps] = await Promise.allSettled(files.map(loadData));
    if (!isCurrent()) return "";
    this.problems = { kernel: data.reason, steps: steps.reason };
    page.take(data.value ?? NO_KERNEL, steps.value ?? { sources: [], steps: [], left_out: 0 });
    return message;
  }

  problemOf() {
    return this.problems.kernel;
  }

  controls() {
    const { page } = this;
    const change = (name) => (value) => page.state.change({ [name]: value, figure: "" });
    return [
      choice("kernel", "Kernel", page.kernels.map(ofKernel), page.kernel.name, change("kernel")),
      choice("machine", "Machine", page.machines.map(ofMachine), page.machine.id, change("machine")),
    ];
  }

  answer() {
    const problem = this.problems.kernel ?? this.problems.steps;
    if (problem) throw problem;
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
    return `${this.page.kernelName}: Python’s compilers, commit by commit`;
  }

  draw() {
    this.sections.put("missing", () => {
      if (this.problems.kernel) throw this.problems.kernel;
      return missingView(this.page);
    });
  }

  showAll() {
    this.putAnswer();
  }
}
