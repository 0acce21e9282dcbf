// The screen of a history, of commits or of releases: the answer with its steps, the charts, and what has no number.

import { element } from "../parts/dom.js";
import { Screen } from "./screen.js";

/**
 * views: as for a Screen; answer(page): {headline, lede: sentences}; stepsView(page): nodes; contents: functions of the page
 * that return the nodes of a section, by its id.
 * A subclass has load(), title() and problemOf(view).
 */
export class HistoryScreen extends Screen {
  constructor(page, views, { answer, stepsView, contents }) {
    super(page, views);
    this.sentences = answer;
    this.stepsView = stepsView;
    this.contents = contents;
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
    for (const [id, view] of Object.entries(this.contents))
      this.sections.put(id, () => {
        this.#raise(id);
        return view(this.page);
      });
  }

  showAll() {
    this.putAnswer();
    this.draw();
  }

  #problem(id) {
    return this.problemOf(this.views.find((view) => view.id === id));
  }

  #raise(id) {
    const problem = this.#problem(id);
    if (problem) throw problem;
  }
}
