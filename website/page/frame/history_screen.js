// The screen of a history, of commits or of releases: the answer with its steps, the charts, and what has no number.

import { element } from "../parts/dom.js";
import { Screen } from "./screen.js";

/**
 * views: as for a Screen; answer(page): {headline, lede: sentences}; stepsView(page), missingView(page): nodes.
 * A subclass has load(), title() and problemOf(view).
 */
export class HistoryScreen extends Screen {
  constructor(page, views, { answer, stepsView, missingView }) {
    super(page, views);
    this.sentences = answer;
    this.stepsView = stepsView;
    this.missingView = missingView;
  }

  answer() {
    this.#raise("answer");
    const { headline, lede } = this.sentences(this.page);
    return [
      element("p", { class: "answer" }, headline),
      element("p", { class: "lede" }, lede.join(" ")),
      this.stepsView(this.page),
    ];
  }

  headline() {
    return this.#problem("answer") ? "" : this.sentences(this.page).headline;
  }

  draw() {
    this.sections.put("missing", () => {
      this.#raise("missing");
      return this.missingView(this.page);
    });
  }

  showAll() {
    this.putAnswer();
  }

  #problem(id) {
    return this.problemOf(this.views.find((view) => view.id === id));
  }

  #raise(id) {
    const problem = this.#problem(id);
    if (problem) throw problem;
  }
}
