// The sections, the links to them and to the other pages of this site.

import { byId, element } from "../parts/dom.js";
import { parse } from "./state.js";

export class Navigation {
  constructor(page, views) {
    this.page = page;
    this.views = views;
    for (const { id, short, title } of views) {
      const link = element("a", { href: page.state.address({ view: id }), "data-view": id }, short);
      byId("sections").append(element("li", {}, link));
      const heading = element("h2", { id: `${id}-title`, tabindex: "-1" }, page.withUnit(title));
      const view = element("div", { class: "view" });
      byId("views").append(element("section", { id, "aria-labelledby": `${id}-title` }, heading, view));
    }
    document.addEventListener("click", (event) => this.#follow(event));
  }

  /** Put the current state into the links, for readers who open them in another tab. */
  update() {
    for (const link of document.querySelectorAll("#sections a"))
      link.href = this.page.state.address({ view: link.dataset.view, figure: "" });
    for (const link of document.querySelectorAll("a[data-page]")) link.href = this.page.addressOf(link.dataset.page);
  }

  /** Show or hide a section and the link to it. */
  show(view, isShown) {
    byId(view).hidden = !isShown;
    document.querySelector(`#sections a[data-view="${view}"]`).parentNode.hidden = !isShown;
  }

  /** Scroll to a section; if it is hidden, to the first one with charts, which says why. */
  goTo(view, focus = false) {
    if (!this.views.some(({ id }) => id === view)) return;
    const shown = byId(view).hidden ? this.views.find(({ charts }) => charts).id : view;
    byId(shown).scrollIntoView();
    if (focus) byId(`${shown}-title`).focus({ preventScroll: true });
  }

  /**
   * Links within the page change the state, and lead to their section even if the address stays as it is. Links with
   * data-kernel lead to a kernel, with a size. Links with data-machine, data-compiler and data-threads also change these: their
   * addresses may be older than what a reader chose since.
   */
  #follow(event) {
    const link = event.target.closest?.("a[href^='#']");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (link.hash === "#main") return byId("main").focus();
    const { size, view } = parse(link.hash);
    this.page.state.change(link.dataset.kernel === undefined ? { view } : { ...link.dataset, size, view });
    this.goTo(view, true);
  }
}
