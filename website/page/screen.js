// What is on the screen: the sections, each drawn from its own data, and what a change of the state redraws.

import { answerView } from "./answer.js";
import { changesView } from "./changes.js";
import { chartFigure } from "./chart_figure.js";
import { controls } from "./controls.js";
import { loadData } from "./data.js";
import { element, sentence } from "./dom.js";
import { environmentsView } from "./environments.js";
import { keepFocus } from "./focus.js";
import { matrixFigure, matrixView } from "./matrix.js";
import { preparePrinting } from "./printing.js";
import { figureParts, fill } from "./provenance.js";
import { answer } from "./sentence.js";
import { VIEWS, worded } from "./views.js";

const NEAR = "300px"; // below the screen: what is that near is fetched and drawn already

const at = (id) => document.getElementById(id);

export class Screen {
  #near = new Map(); // what is drawn when it comes near, by element
  #observer = new IntersectionObserver((seen) => this.#seen(seen), { rootMargin: NEAR });
  #turn = 0; // of showing; a slower answer to an earlier question is dropped

  constructor(page) {
    this.page = page;
    this.dialog = at("provenance");
  }

  /** Draw what the address asks for, and again at each change of it. */
  async begin() {
    this.#skeleton();
    this.page.state.onchange((next, before) => this.#changed(next, before));
    this.dialog.addEventListener("close", () => this.page.state.now.figure && this.page.state.change({ figure: "" }));
    this.dialog.addEventListener("click", (event) => event.target === this.dialog && this.dialog.close());
    preparePrinting(() => this.drawAll());
    this.#heedWidth();
    await this.#show();
    this.#goTo(this.page.state.now.view);
  }

  /** Fetch and draw everything, whether it is near or not. */
  async drawAll() {
    while (this.#near.size) {
      const all = [...this.#near.keys()];
      await Promise.all(all.map((node) => this.#draw(node)));
    }
  }

  #skeleton() {
    for (const { id, short, title } of VIEWS) {
      at("sections").append(element("li", {}, element("a", { href: this.page.state.address({ view: id }), "data-view": id }, short)));
      at("views").append(element(
        "section", { id, "aria-labelledby": `${id}-title` },
        element("h2", { id: `${id}-title`, tabindex: "-1" }, worded(title, this.page)), element("div", { class: "view" }),
      ));
    }
    document.addEventListener("click", (event) => this.#follow(event));
  }

  /** Links within the page keep the state, and lead to their section even when the address stays as it is. */
  #follow(event) {
    const link = event.target.closest?.("a[href^='#']");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (link.hash === "#main") return at("main").focus();
    const view = new URLSearchParams(link.getAttribute("href").slice(1)).get("view") ?? "";
    const kernel = link.closest("#matrix") ? { kernel: new URLSearchParams(link.getAttribute("href").slice(1)).get("kernel"), size: "" } : {};
    this.page.state.change({ ...kernel, view });
    this.#goTo(view, true);
  }

  #goTo(view, focus = false) {
    const section = view && at(view);
    if (!section || !VIEWS.some(({ id }) => id === view)) return;
    section.scrollIntoView();
    if (focus) at(`${view}-title`).focus({ preventScroll: true });
  }

  async #changed(next, before) {
    const differs = (...names) => names.some((name) => String(next[name]) !== String(before[name]));
    this.page.tip.hide();
    if (differs("kernel", "machine")) await this.#show();
    else if (differs("size", "hide")) this.#redraw(differs("hide"));
    if (differs("sort")) this.#sort();
    if (differs("open")) this.#open();
    if (differs("figure")) await this.#figure();
    if (differs("view") && next.view) this.#goTo(next.view);
    this.#addresses();
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
    this.#addresses();
    if (this.page.state.now.figure) await this.#figure();
  }

  /** Draw what stands on the kernel's file: the answer alone, or the charts too. */
  #redraw(charts, problem = null) {
    const restore = keepFocus();
    controls(this.page, at("controls"));
    const ranking = this.page.ranking;
    this.#put("answer", () => {
      if (problem) throw problem;
      return ranking ? answerView(this.page, ranking) : [element("p", {}, sentence("No warm call of this kernel was measured here: `make bench FULL=1` measures them all."))];
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
      this.#forget(node);
      node.querySelector(".chart")?.vega?.finalize();
    }
    if (!Object.keys(this.page.looks.charts).length) problem ??= new Error("The charts’ descriptions, charts/index.json, could not be fetched: `make site` writes them.");
    const height = new Map([...section.querySelectorAll(".chart")].map((node) => [node.closest("figure").id, node.offsetHeight]));
    const made = () => {
      if (problem) throw problem;
      return view.charts.map((chart) => {
        const rows = this.page.data.charts?.[chart.name] ?? [];
        const known = this.page.looks.charts[chart.name];
        return known ? chartFigure(this.page, { ...known, ...chart, reading: rows.length ? chart.read?.(this.page, rows) : null }, rows) : null;
      });
    };
    this.#put(view.id, made, "charts");
    for (const node of section.querySelectorAll("figure")) {
      const chart = node.querySelector(".chart");
      if (height.get(node.id)) chart.style.minHeight = `${height.get(node.id)}px`; // so that nothing below jumps
      this.#whenNear(node, () => node.drawChart().then(() => (chart.style.minHeight = "")));
    }
  }

  /** The sections that have files of their own. */
  #files() {
    const { machine, index } = this.page;
    this.#fromFile("matrix", machine.matrix, (matrix) => matrixView(this.page, matrix));
    this.#fromFile("changes", index.changes, (changes) => changesView(this.page, changes));
    this.#fromFile("environments", index.environments, (environments) => environmentsView(this.page, environments));
  }

  #fromFile(id, path, view) {
    const section = at(id);
    this.#put(id, () => [element("p", { class: "loading" }, "Loading when it comes into view …")]);
    this.#whenNear(section, async () => {
      const turn = this.#turn;
      const made = path ? await loadData(path).then(view, (error) => error) : new Error("This site has no such data: `make site` writes it.");
      if (turn !== this.#turn) return;
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

  #open() {
    for (const details of document.querySelectorAll("details[id]")) details.open = this.page.state.now.open.includes(details.id);
    this.#whenNear(at("changes"), () => this.#fromFile("changes", this.page.index.changes, (changes) => changesView(this.page, changes)));
  }

  /** Open the dialog of the figure that the address names, or close it. */
  async #figure() {
    const shown = await this.#named(this.page.state.now.figure);
    if (!shown) return this.dialog.open && this.dialog.close();
    fill(this.dialog, shown, () => this.dialog.close());
    if (!this.dialog.open) this.dialog.showModal();
  }

  async #named(name) {
    const [kind, ...parts] = figureParts(name) ?? [];
    if (kind === "row") {
      const row = this.page.row(parts[0], parts[1]);
      return row?.figures[parts[2]] && this.page.about(row, parts[2]);
    }
    const file = this.page.machine.kernels[parts[0]];
    if (kind !== "matrix" || !file) return undefined;
    const [matrix, data] = await Promise.all([loadData(this.page.machine.matrix), loadData(file)]).catch(() => []);
    return matrix && matrixFigure(this.page, matrix, data, parts[0], parts[1]);
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
        for (const figure of document.querySelectorAll("figure.chart-figure")) this.#whenNear(figure, () => figure.drawChart());
      }, 200);
    });
  }

  #addresses() {
    for (const link of document.querySelectorAll("#sections a")) link.href = this.page.state.address({ view: link.dataset.view, figure: "" });
  }

  #whenNear(node, draw) {
    this.#forget(node);
    this.#near.set(node, draw);
    this.#observer.observe(node);
  }

  #forget(node) {
    this.#near.delete(node);
    this.#observer.unobserve(node);
  }

  #seen(entries) {
    for (const { isIntersecting, target } of entries) if (isIntersecting) this.#draw(target);
  }

  async #draw(node) {
    const draw = this.#near.get(node);
    this.#forget(node);
    await draw?.();
  }
}
