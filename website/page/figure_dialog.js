// The dialog of the figure that the address names.

import { loadData } from "./data.js";
import { matrixFigure } from "./matrix.js";
import { figureParts, fill } from "./provenance.js";

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
    const shown = await this.#named(name);
    if (name !== this.page.state.now.figure) return; // asked for another one meanwhile
    if (!shown) {
      if (this.dialog.open) this.dialog.close();
      return;
    }
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
}
