// What is on the screen: the sections, each drawn from its own data, and what a change of the state redraws.

import { answerView } from "./answer.js";
import { ALL, changesView } from "./changes.js";
import { chartFigure } from "./chart_figure.js";
import { controls } from "./controls.js";
import { loadData } from "./data.js";
import { element, sentence } from "./dom.js";
import { environmentsView } from "./environments.js";
import { FigureDialog } from "./figure_dialog.js";
import { keepFocus } from "./focus.js";
import { matrixView } from "./matrix.js";
import { Navigation } from "./navigation.js";
import { Near } from "./near.js";
import { preparePrinting } from "./printing.js";
import { answer } from "./sentence.js";
import { VIEWS, worded } from "./views.js";

const NOTHING = "No warm call of this kernel was measured here: `make bench FULL=1` measures them all.";
const UNDESCRIBED = "The charts’ descriptions, charts/index.json, could not be fetched: `make site` writes them.";

const at = (id) => document.getElementById(id);

export class Screen {
  #turn = 0; // of showing; a slower answer to an earlier question is dropped

  #shown; // the machine whose matrix is shown

  constructor(page) {
    this.page = page;
    this.near = new Near();
    this.navigation = new Navigation(page);
    this.dialog = new FigureDialog(page, at("provenance"));
  }

  /** Draw what the address asks for, and again at each change of it. */
  async begin() {
    this.page.state.onchange((next, before) => this.#changed(next, before));
    preparePrinting(() => this.near.all());
    this.#heedWidth();
    await this.#show();
    this.navigation.goTo(this.page.state.now.view);
  }

  async #changed(next, before) {
    const differs = (...names) => names.some((name) => String(next[name]) !== String(before[name]));
    this.page.tip.hide();
    if (differs("kernel", "machine")) await this.#show();
    else if (differs("size", "hide")) this.#redraw(differs("hide"));
    if (differs("sort")) this.#sort();
    if (differs("open")) this.#open(before);
    if (differs("figure")) await this.dialog.show();
    if (differs("view") && next.view) this.navigation.goTo(next.view);
    this.navigation.update();
  }

  /** Fetch the kernel's file and draw every section from it; a file that can't be read costs its sections alone. */
  async #show() {
    const turn = ++this.#turn;
    const note = this.page.choose();
    at("message").hidden = !note;
    at("message").textContent = note;
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
    this.navigation.update();
    if (this.page.state.now.figure) await this.dialog.show();
  }

  /** Draw what stands on the kernel's file: the answer alone, or the charts too. */
  #redraw(charts, problem = null) {
    const restore = keepFocus();
    controls(this.page, at("controls"));
    const ranking = this.page.ranking;
    this.#put("answer", () => {
      if (problem) throw problem;
      return ranking ? answerView(this.page, ranking) : [element("p", {}, sentence(NOTHING))];
    });
    if (charts) for (const view of VIEWS.filter((view) => view.charts)) this.#charts(view, problem);
    at("announcement").textContent = ranking ? `${this.page.kernelName}: ${answer(ranking, this.page.unit)}` : "";
    document.title = `${this.page.kernelName}: Python’s compilers, measured`;
    restore();
  }

  #charts(view, problem) {
    const section = at(view.id);
    at(`${view.id}-title`).textContent = worded(view.title, this.page);
    for (const node of section.querySelectorAll(".chart-figure")) {
      this.near.forget(node);
      node.querySelector(".chart")?.vega?.finalize();
    }
    if (!Object.keys(this.page.looks.charts).length) problem ??= new Error(UNDESCRIBED);
    const height = new Map(
      [...section.querySelectorAll(".chart")].map((node) => [node.closest("figure").id, node.offsetHeight]),
    );
    const made = () => {
      if (problem) throw problem;
      return view.charts.map((chart) => this.#chart(chart));
    };
    this.#put(view.id, made, "charts");
    for (const node of section.querySelectorAll("figure")) {
      const chart = node.querySelector(".chart");
      if (height.get(node.id)) chart.style.minHeight = `${height.get(node.id)}px`; // so that nothing below jumps
      this.near.when(node, () => node.drawChart().then(() => (chart.style.minHeight = "")));
    }
  }

  #chart(chart) {
    const known = this.page.looks.charts[chart.name];
    const rows = this.page.data.charts?.[chart.name] ?? [];
    const reading = rows.length ? chart.read?.(this.page, rows) : null;
    return known && chartFigure(this.page, { ...known, ...chart, reading }, rows);
  }

  /** The sections that have files of their own, which are of a machine or of all. */
  #files() {
    const { machine, index } = this.page;
    if (this.#shown === machine) return;
    this.#fromFile("matrix", machine.matrix, matrixView);
    if (this.#shown === undefined) this.#fromFile("changes", index.changes, changesView);
    if (this.#shown === undefined) this.#fromFile("environments", index.environments, environmentsView);
    this.#shown = machine;
  }

  #fromFile(id, path, view) {
    const { machine } = this.page;
    this.#put(id, () => [element("p", { class: "loading" }, "Loading when it comes into view …")]);
    this.near.when(at(id), async () => {
      const missing = () => Promise.reject(new Error("This site has no such data: `make site` writes it."));
      const made = await (path ? loadData(path) : missing())
        .then((content) => view(this.page, content))
        .catch((error) => error);
      if (machine !== this.page.machine && id === "matrix") return; // another one is shown meanwhile
      this.#put(id, () => {
        if (made instanceof Error) throw made;
        return made;
      });
    });
  }

  /** Fill one part of a section; whatever goes wrong in it stays in it. */
  #put(id, made, part = "main") {
    const view = at(id).querySelector(".view");
    let box = view.querySelector(`:scope > [data-part="${part}"]`);
    if (!box) view.append((box = element("div", { "data-part": part })));
    try {
      box.replaceChildren(...made().flat(Infinity).filter(Boolean));
    } catch (error) {
      box.replaceChildren(element("p", { class: "notice" }, sentence(error.message)));
    }
  }

  #sort() {
    for (const made of document.querySelectorAll("table[id]")) made.resort?.(this.page.sortOf(made.id));
    const heading = document.querySelector("th[aria-sort='ascending'], th[aria-sort='descending']");
    if (heading) at("announcement").textContent = `Sorted by ${heading.textContent}, ${heading.getAttribute("aria-sort")}.`;
  }

  #open(before) {
    const { open } = this.page.state.now;
    for (const details of document.querySelectorAll("details[id]")) details.open = open.includes(details.id);
    if (open.includes(ALL) !== before.open.includes(ALL)) this.#fromFile("changes", this.page.index.changes, changesView);
  }

  /** Draw the charts anew for another width, once it stays. */
  #heedWidth() {
    let width = window.innerWidth;
    let timer;
    window.addEventListener("resize", () => {
      clearTimeout(timer);
      if (Math.abs(window.innerWidth - width) < 20 || matchMedia("print").matches) return;
      timer = setTimeout(() => {
        width = window.innerWidth;
        for (const figure of document.querySelectorAll("figure.chart-figure"))
          this.near.when(figure, () => figure.drawChart());
      }, 200);
    });
  }
}
