// The commits' page: its files. The page begins here.

import { loadOr } from "../frame/data.js";
import { HistoryScreen } from "../frame/history_screen.js";
import { start } from "../frame/opening.js";
import { CommitsPage } from "./page.js";
import { answer } from "./sentence.js";
import { stepsView } from "./steps.js";
import { machinesSection, missingView, VIEWS } from "./views.js";

const NO_KERNEL = { commits: [], sources: [], series: [], missing: [], charts: {} };
const NO_STEPS = { sources: [], steps: [], left_out: 0, totals: {}, tables: [] };
const HOW = "`make history` measures commits in duets against one of them; `make site` then writes this page.";

class CommitsScreen extends HistoryScreen {
  sentences = answer;
  stepsView = stepsView;
  contents = { machines: machinesSection, missing: missingView };

  /** Fetch the kernel's file and the machine's steps; a file that can't be read affects only its own sections. */
  async load(isCurrent) {
    const { page } = this;
    const message = page.choose();
    const files = [loadOr(page.machine.kernels[page.kernel.name], NO_KERNEL), loadOr(page.machine.steps, NO_STEPS)];
    const [[data, kernel], [list, steps]] = await Promise.all(files);
    if (!isCurrent()) return "";
    this.problems = { kernel, steps };
    Object.assign(page, { data, steps: list });
    return message;
  }

  problemOf({ id }) {
    return this.problems.kernel ?? (["answer", "machines"].includes(id) ? this.problems.steps : null);
  }

  title() {
    return `${this.page.kernelName}: Python’s compilers, commit by commit`;
  }
}

start(CommitsPage, CommitsScreen, VIEWS, {
  charts: "charts/commits.json",
  none: "No commit has been measured in duets yet",
  how: HOW,
});
