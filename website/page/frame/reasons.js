// What has no number, by the reason.

import { element, foreign } from "../parts/dom.js";

export class Reasons {
  #places = new Map(); // by reason, then by what has no number: the commits or releases

  get size() {
    return this.#places.size;
  }

  add(reason, what, place) {
    const known = this.#places.get(reason) ?? new Map();
    this.#places.set(reason, known);
    known.set(what, [...(known.get(what) ?? []), place]);
  }

  /** The list as an element. */
  list() {
    return element(
      "dl",
      { class: "without" },
      [...this.#places].map(([reason, what]) => [
        element("dt", {}, foreign(reason)),
        [...what].map(([name, places]) => element("dd", {}, `${name}: `, foreign(places.join(", ")))),
      ]),
    );
  }
}
