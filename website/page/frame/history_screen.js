// The screen of a history, of commits or of releases: the answer with its steps, the charts, and what has no number.

import { element } from "../parts/dom.js";
import { Screen } from "./screen.js";

/**
 * A subclass has sentences(page): {headline, lede: sentences}; stepsView(page): nodes; contents: functions of the page that
 * return the nodes of a section, by its id; and the methods load(), title() and problemOf(view).
 */
export class HistoryScreen extends Screen {
  answer() {
    const { headline, lede } = this.sentences(this.page);
    return [
      element("p", { class: "answer" }, headline),
      element("p", { class: "lede" }, lede.join(" ")),
      this.stepsView(this.page),
    ];
  }

  headline() {
    return this.sentences(this.page).headline;
  }

  draw() {
    for (const view of this.views.filter(({ id }) => id in this.contents)) {
      const content = () => this.contents[view.id](this.page);
      this.sections.put(view.id, content, { problem: this.problemOf(view) });
    }
  }

  showAll() {
    if (this.isLoading) return; // all is drawn when the files are there
    this.putAnswer();
    this.draw();
  }
}
