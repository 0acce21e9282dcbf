// The compilers' page: its sections, and which of them a change of the state redraws.

import { answerView } from "./answer.js";
import { ALL, changesView } from "./changes.js";
import { choice, ofKernel, ofMachine } from "../parts/choice.js";
import { loadData } from "../frame/data.js";
import { element, sentence } from "../parts/dom.js";
import { environmentsView } from "./environments.js";
import { FigureDialog } from "../frame/provenance.js";
import { whole } from "../parts/format.js";
import { keepFocus } from "../parts/focus.js";
import { gateView } from "./gate.js";
import { matrixView } from "./matrix.js";
import { showMessage } from "../frame/opening.js";
import { differs, Sections } from "../frame/sections.js";
import { answer } from "./sentence.js";
import { VIEWS } from "./views.js";

const NOTHING = "No warm call of this kernel was measured here: `make bench FULL=1` measures them all.";

const at = (id) => document.getElementById(id);

export class Screen {
  #turn = 0; // counts the calls of #show; a slower answer to an earlier one is dropped

  #shown; // the machine whose matrix is shown

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
    if (other("kernel", "machine")) await this.#show();
    else if (other("size", "threads", "hide")) this.#redraw(other("hide"));
    if (other("sort")) this.sections.sort();
    if (other("open")) this.#open(before);
    if (other("figure")) await this.dialog.show();
    if (other("view") && next.view) this.sections.navigation.goTo(next.view);
    this.sections.navigation.update();
  }

  /** Fetch the kernel's file and draw its sections; a file that can't be read affects its own sections alone. */
  async #show() {
    const turn = ++this.#turn;
    showMessage(this.page.choose());
    let problem = null;
    try {
      const data = await loadData(this.page.machine.kernels[this.page.kernel.name]);
      if (turn !== this.#turn) return;
      this.page.take(data);
    } catch (error) {
      problem = error;
      this.page.take({ rows: [], rankings: [], charts: {}, sources: [], benchmarks: {} });
    }
    this.#redraw(true, problem);
    this.#files();
    this.sections.navigation.update();
    if (this.page.state.now.figure) await this.dialog.show();
  }

  /** Draw what comes from the kernel's file: the answer alone, or the charts too. */
  #redraw(charts, problem = null) {
    const restore = keepFocus();
    controls(this.page, at("controls"));
    const ranking = this.page.ranking;
    this.sections.put("answer", () => {
      if (problem) throw problem;
      return ranking ? answerView(this.page, ranking) : [element("p", {}, sentence(NOTHING))];
    });
    if (charts) for (const view of VIEWS.filter((view) => view.charts)) this.sections.charts(view, problem);
    at("announcement").textContent = ranking ? `${this.page.kernelName}: ${answer(ranking, this.page.unit)}` : "";
    document.title = `${this.page.kernelName}: Python’s compilers, measured`;
    restore();
  }

  /** Load the sections that have files of their own, of one machine or of all. */
  #files() {
    const { machine, index } = this.page;
    if (this.#shown === machine) return;
    this.sections.later("matrix", machine.matrix, matrixView, () => machine === this.page.machine);
    if (this.#shown === undefined) this.sections.later("changes", index.changes, changesView);
    if (this.#shown === undefined) this.sections.later("gate", index.gate, gateView);
    if (this.#shown === undefined) this.sections.later("environments", index.environments, environmentsView);
    this.#shown = machine;
  }

  #open(before) {
    this.sections.open();
    const all = (state) => state.open.includes(ALL);
    if (all(this.page.state.now) !== all(before)) this.sections.later("changes", this.page.index.changes, changesView);
  }
}

/** Put the controls into their section. */
function controls(page, section) {
  const focused = document.activeElement?.id;
  section.replaceChildren(
    choice("kernel", "Kernel", page.kernels.map(ofKernel), page.kernel.name, (kernel) =>
      page.state.change({ kernel, size: "", figure: "" }),
    ),
    choice("machine", "Machine", page.machines.map(ofMachine), page.machine.id, (machine) =>
      page.state.change({ machine, size: "", figure: "" }),
    ),
    sizes(page),
    page.ranking?.one_thread ? threads(page) : "",
  );
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
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
  return element(
    "fieldset",
    {},
    element("legend", {}, legend),
    choices.map(([value, text]) =>
      element(
        "label",
        {},
        element("input", {
          type: "radio",
          name,
          id: `${name}-${value}`,
          value,
          checked: value === chosen,
          change: () => page.state.change({ [name]: value }),
        }),
        element("span", {}, text),
      ),
    ),
  );
}
