// The sections, the links to them, and the way there.

import { element } from "./dom.js";
import { VIEWS, worded } from "./views.js";

const at = (id) => document.getElementById(id);

export class Navigation {
  constructor(page) {
    this.page = page;
    for (const { id, short, title } of VIEWS) {
      const link = element("a", { href: page.state.address({ view: id }), "data-view": id }, short);
      at("sections").append(element("li", {}, link));
      const heading = element("h2", { id: `${id}-title`, tabindex: "-1" }, worded(title, page));
      const view = element("div", { class: "view" });
      at("views").append(element("section", { id, "aria-labelledby": `${id}-title` }, heading, view));
    }
    document.addEventListener("click", (event) => this.#follow(event));
  }

  /** Give the links the present state, for those who open them elsewhere. */
  update() {
    for (const link of document.querySelectorAll("#sections a"))
      link.href = this.page.state.address({ view: link.dataset.view, figure: "" });
  }

  goTo(view, focus = false) {
    if (!VIEWS.some(({ id }) => id === view)) return;
    at(view).scrollIntoView();
    if (focus) at(`${view}-title`).focus({ preventScroll: true });
  }

  /** Links within the page change the state, and lead to their section even when the address stays as it is. */
  #follow(event) {
    const link = event.target.closest?.("a[href^='#']");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (link.hash === "#main") return at("main").focus();
    const asked = new URLSearchParams(link.hash.slice(1));
    const view = asked.get("view") ?? "";
    this.page.state.change(link.closest("#matrix") ? { kernel: asked.get("kernel"), size: "", view } : { view });
    this.goTo(view, true);
  }
}
