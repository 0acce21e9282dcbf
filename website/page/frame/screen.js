// What a page shows: its sections, and which of them a change of the state redraws.

import { choice, kernelOption, machineOption } from "../parts/choice.js";
import { byId } from "../parts/dom.js";
import { FigureDialog } from "./provenance.js";
import { keepFocus } from "../parts/focus.js";
import { showMessage } from "./opening.js";
import { Sections } from "./sections.js";

const all = ({ open }) => open.filter((id) => id.endsWith("-all")); // of the open details, the lists that are shown in full

/**
 * A screen. Its subclass has the methods
 * load(isCurrent): fetch what the address names and return a message; stop if `isCurrent()` is false;
 * answer(): the nodes of the first section; headline(), title(): texts;
 * draw(): fill the other sections; problemOf(view): the error that is shown in place of its content, or null;
 * showAll(): redraw a list that a reader wants to see in full.
 */
export class Screen {
  isLoading = false; // from a change of the kernel, machine or compiler until its files are there: the old numbers still stand
  #turn = 0; // counts the calls of #show; a slower answer to an earlier one is dropped

  constructor(page, views) {
    this.page = page;
    this.views = views;
    this.sections = new Sections(page, views);
    this.dialog = new FigureDialog(page, byId("provenance"));
  }

  /** Draw the page of the address, and again at each change of it. */
  async begin() {
    this.page.state.onchange = (next, before) => this.#changed(next, before);
    await this.#show();
    this.sections.navigation.goTo(this.page.state.now.view);
  }

  /** The choices above the page, as nodes. A subclass adds its own. */
  controls() {
    const { kernels, kernel, machines, machine } = this.page;
    return [
      choice("kernel", "Kernel", kernels.map(kernelOption), kernel.name, this.change("kernel")),
      choice("machine", "Machine", machines.map(machineOption), machine.id, this.change("machine")),
    ];
  }

  /** A function that changes this part of the state to another value, and for another kernel the size to the best one. */
  change(name) {
    const { state } = this.page;
    return (value) => state.change({ [name]: value, size: name === "machine" ? state.now.size : "", figure: "" });
  }

  /** Redraw only the first section. */
  putAnswer() {
    this.sections.put("answer", () => this.answer(), { problem: this.problemOf(this.views[0]) });
  }

  async #changed(next, before) {
    const other = (...names) => names.some((name) => String(next[name]) !== String(before[name]));
    this.page.tip.hide();
    if (other("compiler", "kernel", "machine")) await this.#show();
    else if (!this.isLoading && other("size", "threads", "hide", "from", "to", "at", "backend")) {
      if (other("size")) this.#showMessage();
      this.#redraw(other("hide"));
    }
    if (other("sort")) this.sections.sort();
    if (other("open")) this.sections.open();
    if (String(all(next)) !== String(all(before))) {
      const restore = keepFocus();
      this.showAll();
      restore();
    }
    if (other("figure") && !this.isLoading) await this.dialog.show();
    else if (other("figure") && next.figure && !other("compiler", "kernel", "machine"))
      this.page.state.change({ figure: "" }, { replace: true }); // the number is of the kernel that is about to go
    if (other("view") && next.view === this.page.state.now.view) this.sections.navigation.goTo(next.view);
    this.sections.navigation.update();
  }

  async #show() {
    const turn = ++this.#turn;
    const isCurrent = () => turn === this.#turn;
    this.#setLoading(true);
    const message = await this.load(isCurrent);
    if (!isCurrent()) return;
    this.#setLoading(false);
    this.message = message;
    this.#showMessage();
    byId("data-file").href = this.page.dataFile;
    this.#redraw(true);
    this.sections.navigation.update();
    await this.dialog.show();
  }

  #showMessage() {
    showMessage([this.message, this.sizeMessage()].filter(Boolean).join(" "));
  }

  /** The message about a size that is not there; "" on a page without a choice of sizes. */
  sizeMessage() {
    return "";
  }

  #setLoading(isLoading) {
    this.isLoading = isLoading;
    byId("main").setAttribute("aria-busy", String(isLoading));
  }

  #redraw(charts) {
    const restore = keepFocus();
    byId("controls").replaceChildren(...this.controls());
    this.putAnswer();
    if (charts)
      for (const view of this.views.filter((view) => view.charts)) this.sections.charts(view, this.problemOf(view));
    this.draw();
    byId("announcement").textContent = this.problemOf(this.views[0]) ? "" : this.headline();
    document.title = this.title();
    restore();
  }
}
