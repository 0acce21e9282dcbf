// The compilers' page: its kernel and machine, and the source of each number.

import { loadData } from "../frame/data.js";
import { foreign, visible } from "../parts/dom.js";
import { whole } from "../parts/format.js";
import { matrixFigure } from "./matrix.js";
import { Page } from "../frame/page.js";
import { figureName, figureParts } from "../frame/provenance.js";

export class CompilersPage extends Page {
  /** Choose the kernel and machine in the address, or the nearest; returns a message where it is another one. */
  choose() {
    return this.chooseKernel(this.index.machines);
  }

  /** Show the data of a kernel on a machine. */
  take(data) {
    this.data = data;
  }

  /** The ranking at the size in the address, or at the size that most backends have, the larger of two. */
  get ranking() {
    const wanted = this.data.rankings.find(({ size }) => String(size) === this.state.now.size);
    const ranked = (ranking) => ranking.entries.filter((entry) => entry.rank !== null).length;
    return (
      wanted ?? this.data.rankings.reduce((best, next) => (best && ranked(best) > ranked(next) ? best : next), undefined)
    );
  }

  /** The row of a backend at a size. */
  row(backend, size) {
    return this.data.rows.find((row) => row.backend === backend && String(row.size) === String(size));
  }

  /** A button with a row's figure, which opens its source; null where the row has no such figure. */
  figure(row, name, text) {
    const figure = row?.figures[name];
    if (!figure || figure.value === null || figure.value === undefined) return null;
    return this.button(figureName("row", row.backend, row.size, name), this.about(row, name), text);
  }

  /** The same button for a row of a chart. */
  figureOf(chart, row, text) {
    return this.figure(this.row(row.backend, row.size), chart.figure(row), text);
  }

  /** The name of that figure in the address; undefined where there is none. */
  nameOf(chart, row) {
    const cell = this.row(row.backend, row.size);
    const name = cell && chart.figure(row);
    return cell?.figures[name] && figureName("row", cell.backend, cell.size, name);
  }

  /** The facts of a row's figure. */
  about(row, name, data = this.data, kernel = this.kernel) {
    const figure = row.figures[name];
    const size = typeof row.size === "number" ? ` at ${whole(row.size)} ${visible(kernel.unit || kernel.size || "")}` : "";
    return {
      title: [
        foreign(row.backend),
        `: ${visible(name.replaceAll("_", " ").replace(".", ", "))}, ${visible(kernel.name)}${size}`,
      ],
      figure,
      backend: row.backend,
      interpreted: row.interpreted,
      source: data.sources[figure.source],
      machine: this.machine.name,
      history: this.curve(data.benchmarks?.[figure.benchmark]?.history, figure.place),
    };
  }

  /** The facts of the figure of that name in the address; undefined where there is none. */
  async figureNamed(name) {
    const [kind, ...parts] = figureParts(name) ?? [];
    if (kind === "row") {
      const row = this.row(parts[0], parts[1]);
      return row?.figures[parts[2]] && this.about(row, parts[2]);
    }
    const file = this.machine.kernels[parts[0]];
    if (kind !== "matrix" || !file) return undefined;
    const [matrix, data] = await Promise.all([loadData(this.machine.matrix), loadData(file)]).catch(() => []);
    return matrix && matrixFigure(this, matrix, data, parts[0], parts[1]);
  }
}
