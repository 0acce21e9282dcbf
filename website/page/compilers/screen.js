// The compilers' page: its sections and controls. The page begins here.

import { answerView } from "./answer.js";
import { changesView } from "./changes.js";
import { loadOr } from "../frame/data.js";
import { element, sentence } from "../parts/dom.js";
import { environmentsView } from "./environments.js";
import { whole } from "../parts/format.js";
import { gateView } from "./gate.js";
import { matrixView } from "./matrix.js";
import { start } from "../frame/opening.js";
import { describeReplacements } from "../frame/page.js";
import { CompilersPage } from "./page.js";
import { Screen } from "../frame/screen.js";
import { answer } from "./sentence.js";
import { rivalsView } from "./rivals.js";
import { VIEWS } from "./views.js";

const NOTHING = "No warm call of this kernel was measured here: `make bench FULL=1` measures them all.";
const NO_KERNEL = { rows: [], observations: [], rankings: [], charts: {}, sources: [], benchmarks: {} };
const NOT_ONE_THREAD = "No run had one thread each at this size: each backend has its own number of threads.";
const HOW =
  "`make bench` measures HEAD and writes this site; `make site` writes it anew from stored results.";

class CompilersScreen extends Screen {
  #shown; // the machine whose matrix is shown
  #rivals; // what the section of that name shows, after it was near the screen

  /** Fetch the kernel's file. If it can't be read, only its own sections are affected. */
  async load(isCurrent) {
    const { page } = this;
    const message = page.choose();
    const [data, problem] = await loadOr(page.machine.kernels[page.kernel.name], NO_KERNEL);
    if (!isCurrent()) return "";
    this.problem = problem;
    page.data = data;
    return message;
  }

  sizeMessage() {
    const { ranking, state } = this.page;
    const { size, threads } = state.now;
    const message = describeReplacements([
      ["size", size, ranking && String(ranking.size)],
      ["threads", threads === "1" ? "" : threads, "each backend’s own number"],
    ]);
    const lacks = threads === "1" && ranking && !ranking.one_thread;
    return [message, lacks ? NOT_ONE_THREAD : ""].filter(Boolean).join(" ");
  }

  problemOf() {
    return this.problem;
  }

  controls() {
    const { page } = this;
    return [...super.controls(), sizes(page), page.ranking?.hasThreads ? threads(page) : ""];
  }

  answer() {
    const { ranking } = this.page;
    return ranking ? answerView(this.page, ranking) : [element("p", {}, sentence(NOTHING))];
  }

  headline() {
    const { page } = this;
    return page.ranking ? `${page.kernelName}: ${answer(page.ranking, page.unit)}` : "";
  }

  title() {
    return `${this.page.kernelName}: Python’s compilers, measured`;
  }

  /** Load the sections that have files of their own, of one machine or of all. */
  draw() {
    const { machine, index } = this.page;
    if (this.#rivals) this.sections.put("rivals", () => rivalsView(this.page, this.#rivals));
    if (this.#shown === machine) return;
    const isWanted = () => {
      if (machine !== this.page.machine && this.#shown === machine) this.#shown = null; // so that it is fetched again
      return machine === this.page.machine;
    };
    this.sections.later("matrix", machine.matrix, matrixView, isWanted);
    if (this.#shown === undefined) this.#loadOfAll(index);
    this.#shown = machine;
  }

  #loadOfAll({ rivals, gate, environments }) {
    this.showAll();
    this.sections.later("rivals", rivals, (page, rows) => rivalsView(page, (this.#rivals = rows)));
    this.sections.later("gate", gate, gateView);
    this.sections.later("environments", environments, environmentsView);
  }

  showAll() {
    this.sections.later("changes", this.page.index.changes, changesView);
  }
}

function sizes(page) {
  const all = page.data.rankings.map(({ size }) => [String(size), whole(size)]);
  return radios(page, "size", `Size, in ${page.unit}`, all, String(page.ranking?.size));
}

function threads(page) {
  const all = [
    ["", "as many as each takes"],
    ["1", "one thread each"],
  ];
  return radios(page, "threads", "Threads", all, page.ranking.isOneThread ? "1" : "");
}

/** A group of buttons that change one word of the state; choices: pairs of value and text. */
function radios(page, name, legend, choices, chosen) {
  const change = (event) => page.state.change({ [name]: event.target.value });
  const label = ([value, text]) => {
    const about = { type: "radio", name, id: `${name}-${value}`, value, checked: value === chosen, change };
    return element("label", {}, element("input", about), element("span", {}, text));
  };
  return element("fieldset", {}, element("legend", {}, legend), choices.map(label));
}

start(CompilersPage, CompilersScreen, VIEWS, { charts: "charts/index.json", none: "No results yet", how: HOW });
