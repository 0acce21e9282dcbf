// The compilers' page: the kernel and the machine that it shows, and where each number on it comes from.

import { loadData } from "../frame/data.js";
import { foreign, visible } from "../parts/dom.js";
import { whole } from "../parts/format.js";
import { matrixFigure } from "./matrix.js";
import { newest, Page, replaced } from "../frame/page.js";
import { figureName, figureParts } from "../frame/provenance.js";

export class CompilersPage extends Page {
  /** Take what the state asks for, or the nearest that there is; says what had to be replaced. */
  choose() {
    const asked = this.state.now;
    const measured = (kernel) => this.index.machines.some((machine) => kernel in machine.kernels);
    const kernels = this.index.kernels.filter((kernel) => measured(kernel.name));
    this.kernels = kernels;
    this.kernel =
      kernels.find(({ name }) => name === asked.kernel) ?? kernels.find(({ name }) => name === "philox_pi") ?? kernels[0];
    this.machines = this.index.machines.filter((machine) => this.kernel && this.kernel.name in machine.kernels);
    this.machine = this.machines.find(({ id }) => id === asked.machine) ?? newest(this.machines);
    return replaced([
      ["kernel", asked.kernel, this.kernel?.name],
      ["machine", asked.machine, this.machine?.id],
    ]);
  }

  /** Show the data of a kernel on a machine. */
  take(data) {
    this.data = data;
  }

  /** The flat rows of a chart. */
  rowsOf(chart) {
    return this.data.charts?.[chart] ?? [];
  }

  /** What a chart's table is of. */
  subject() {
    return `${this.kernelName} on ${visible(this.machine.name)}`;
  }

  /** The ranking of the size that the state asks for, or of the size that most backends have, the larger of two. */
  get ranking() {
    const asked = this.data.rankings.find(({ size }) => String(size) === this.state.now.size);
    const ranked = (ranking) => ranking.entries.filter((entry) => entry.rank !== null).length;
    return (
      asked ?? this.data.rankings.reduce((best, next) => (best && ranked(best) > ranked(next) ? best : next), undefined)
    );
  }

  /** The row of a backend at a size. */
  row(backend, size) {
    return this.data.rows.find((row) => row.backend === backend && String(row.size) === String(size));
  }

  /** A button with a row's figure as its text, which tells where the number comes from; null where the row has none. */
  figure(row, name, text) {
    const figure = row?.figures[name];
    if (!figure || figure.value === null || figure.value === undefined) return null;
    return this.button(figureName("row", row.backend, row.size, name), this.about(row, name), text);
  }

  /** The figure that a row of a chart stands for, as such a button. */
  figureOf(chart, row, text) {
    return this.figure(this.row(row.backend, row.size), chart.figure(row), text);
  }

  /** Its name in the address; undefined where the row stands for none. */
  nameOf(chart, row) {
    const cell = this.row(row.backend, row.size);
    const name = cell && chart.figure(row);
    return cell?.figures[name] && figureName("row", cell.backend, cell.size, name);
  }

  /** All that is known of a row's figure. */
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

  /** All that is known of the figure of that name in the address; undefined where there is none. */
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
