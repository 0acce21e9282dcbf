// The dialog of the figure that the address names.

import { fill } from "./provenance.js";

export class FigureDialog {
  constructor(page, dialog) {
    this.page = page;
    this.dialog = dialog;
    dialog.addEventListener("close", () => page.state.now.figure && page.state.change({ figure: "" }));
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close()); // beside what it holds
  }

  /** Open it for the figure that the state names, or close it. */
  async show() {
    const name = this.page.state.now.figure;
    const shown = name ? await this.page.figureNamed(name) : undefined;
    if (name !== this.page.state.now.figure) return; // asked for another one meanwhile
    if (!shown) {
      if (this.dialog.open) this.dialog.close();
      return;
    }
    fill(this.dialog, shown, () => this.dialog.close());
    if (!this.dialog.open) this.dialog.showModal();
  }
}
