// The sections of a page. Charts are drawn, and files fetched, when their section comes near the screen.

import { chartFigure } from "./chart_figure.js";
import { loadOr } from "./data.js";
import { byId, element, sentence } from "../parts/dom.js";
import { Navigation } from "./navigation.js";
import { Near } from "../parts/near.js";
import { preparePrinting } from "./printing.js";

const UNDESCRIBED = "The charts’ descriptions could not be fetched: `make site` writes them.";

export class Sections {
  /** views: {id, short, title, charts}, as views.js has them. */
  constructor(page, views) {
    this.page = page;
    this.views = views;
    this.near = new Near();
    this.navigation = new Navigation(page, views);
    preparePrinting(() => this.near.all());
    this.#followWidth();
  }

  /** Draw the charts of a view, or show the problem with their data. */
  charts(view, problem) {
    const section = byId(view.id);
    byId(`${view.id}-title`).textContent = this.page.withUnit(view.title);
    for (const node of section.querySelectorAll(".chart-figure")) {
      this.near.forget(node);
      node.querySelector(".chart")?.vega?.finalize();
    }
    if (!Object.keys(this.page.looks.charts).length) problem ??= new Error(UNDESCRIBED);
    const height = new Map(
      [...section.querySelectorAll(".chart")].map((node) => [node.closest("figure").id, node.offsetHeight]),
    );
    const charts = this.page.chartsOf(view);
    this.navigation.show(view.id, charts.length > 0);
    const content = () => charts.map((chart) => this.#chart({ ...chart, view: view.id }));
    this.put(view.id, content, { part: "charts", problem });
    for (const node of section.querySelectorAll("figure")) {
      const chart = node.querySelector(".chart");
      if (height.get(node.id)) chart.style.minHeight = `${height.get(node.id)}px`; // so that nothing below jumps
      this.near.when(node, () => node.drawChart().then(() => (chart.style.minHeight = "")));
    }
  }

  #chart(chart) {
    const description = this.page.looks.charts[chart.name];
    const rows = this.page.rowsOf(chart.name);
    const reading = rows.length ? chart.read?.(this.page, rows) : null;
    return description && chartFigure(this.page, { ...description, ...chart, reading }, rows);
  }

  /** Fill a section from a file of its own once it is near; `wanted()`: false if the page shows something else by then. */
  later(id, path, view, wanted = () => true) {
    this.put(id, () => [element("p", { class: "loading" }, "Loading when it comes into view …")]);
    this.near.when(byId(id), async () => {
      const [data, problem] = await loadOr(path);
      if (wanted()) this.put(id, () => view(this.page, data), { problem });
    });
  }

  /** Fill one part of a section with the nodes of `content()`, or with the message of the problem or of its error. */
  put(id, content, { part = "main", problem } = {}) {
    const view = byId(id).querySelector(".view");
    let box = view.querySelector(`:scope > [data-part="${part}"]`);
    if (!box) view.append((box = element("div", { "data-part": part })));
    try {
      if (problem) throw problem;
      box.replaceChildren(...content().flat(Infinity).filter(Boolean));
    } catch (error) {
      box.replaceChildren(element("p", { class: "notice" }, sentence(error.message)));
    }
  }

  /** Sort the tables by the state. */
  sort() {
    for (const content of document.querySelectorAll("table[id]")) content.resort?.();
    const heading = document.querySelector("th[aria-sort='ascending'], th[aria-sort='descending']");
    byId("announcement").textContent = heading
      ? `Sorted by ${heading.textContent}, ${heading.getAttribute("aria-sort")}.`
      : "In the first order again.";
  }

  /** Open the details that the state names, and close the others. */
  open() {
    const { open } = this.page.state.now;
    for (const details of document.querySelectorAll("details[id]")) details.open = open.includes(details.id);
  }

  /** Redraw the charts after the width has changed. */
  #followWidth() {
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
