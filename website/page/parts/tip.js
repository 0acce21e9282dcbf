// The tip beside an element with the pointer or the focus. Escape hides it; the pointer can move onto it to select text.

import { visible } from "./dom.js";

const LINGER = 150; // milliseconds in which the pointer can cross to the tip

export class Tip {
  #timer;
  #target;

  constructor(node) {
    this.node = node;
    node.addEventListener("pointerenter", () => clearTimeout(this.#timer));
    node.addEventListener("pointerleave", () => this.#hideLater());
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.hide());
    document.addEventListener("scroll", () => this.hide(), { passive: true, capture: true });
  }

  /** Show the tip `text()` for an element whenever it has the pointer or the focus. */
  attach(target, text) {
    const show = () => this.show(text(), target.getBoundingClientRect(), target);
    target.addEventListener("pointerenter", show);
    target.addEventListener("focus", show);
    target.addEventListener("pointerleave", () => this.#hideLater());
    target.addEventListener("blur", () => this.hide());
    return target;
  }

  /** Show lines of text below, or above, a place on the screen. */
  show(text, place, target = null) {
    clearTimeout(this.#timer);
    this.hide();
    this.node.textContent = visible(text.replaceAll("\n", "\u2029")).replaceAll("\u2029", "\n");
    this.node.hidden = false;
    const { width, height } = this.node.getBoundingClientRect();
    const below = place.bottom + 6 + height < window.innerHeight;
    const left = Math.max(8, Math.min(place.left, document.documentElement.clientWidth - width - 8));
    this.node.style.left = `${left}px`;
    this.node.style.top = `${below ? place.bottom + 6 : Math.max(8, place.top - height - 6)}px`;
    this.#target = target;
    target?.setAttribute("aria-describedby", this.node.id);
  }

  hide() {
    clearTimeout(this.#timer);
    this.node.hidden = true;
    this.#target?.removeAttribute("aria-describedby");
    this.#target = null;
  }

  #hideLater() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.hide(), LINGER);
  }
}
