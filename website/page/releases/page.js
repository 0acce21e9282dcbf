// The releases' page: its compiler, kernel and machine, and the source of each number.

import { loadData } from "../frame/data.js";
import { element, foreign, visible } from "../parts/dom.js";
import { day, digits, quantity, whole } from "../parts/format.js";
import { describeReplacements, FIRST, Page } from "../frame/page.js";
import { figureName, figureParts } from "../frame/provenance.js";
import { figureWords } from "../frame/verdict.js";

const DRIFTS = { warm: "warm", cold: "cold", stages: "cold" }; // the reference's life by which a group is divided

export class ReleasesPage extends Page {
  /** Choose the machine and compiler in the address, or the nearest; returns a message where it is another one. */
  choose() {
    const wanted = this.state.now;
    const entries = this.index.releases ?? [];
    const measured = new Set(entries.map((entry) => entry.machine));
    this.machines = this.index.machines.filter(({ id }) => measured.has(id));
    this.machine = this.machines.find(({ id }) => id === wanted.machine) ?? this.machines[0];
    this.entries = entries.filter((entry) => entry.machine === this.machine?.id);
    this.entry = this.entries.find(({ compiler }) => compiler === wanted.compiler) ?? this.entries[0];
    return describeReplacements([
      ["machine", wanted.machine, this.machine?.id],
      ["compiler", wanted.compiler, this.entry?.compiler],
    ]);
  }

  get compiler() {
    return visible(this.entry.compiler);
  }

  /** Take a compiler's data and the kernel in the address, or the nearest; returns a message where it is another one. */
  takeCompiler(ladder) {
    const wanted = this.state.now.kernel;
    this.ladder = ladder;
    this.kernels = Object.keys(ladder.kernels).map(
      (name) => this.kernelNamed(name) ?? { name },
    );
    const find = (wanted) => this.kernels.find(({ name }) => name === wanted);
    this.kernel = find(wanted) ?? find(FIRST) ?? this.kernels[0] ?? { name: "" };
    return describeReplacements([["kernel", wanted, this.kernel.name]]);
  }

  /** Take the data of one kernel of that compiler. */
  takeKernel(data) {
    this.data = data;
  }

  rowsOf(chart) {
    return this.data.charts?.[chart] ?? this.ladder.charts?.[chart] ?? [];
  }

  /** The subject of a chart's table. */
  subject(chart) {
    const machine = visible(this.machine.name);
    return chart.all ? `${this.compiler} on ${machine}` : `${this.kernelName}, ${this.compiler} on ${machine}`;
  }

  /** The release of that name, or place among the versions. */
  release(named) {
    return this.ladder.releases.find(({ release, order }) => release === named || order === named);
  }

  /** The series of one case; undefined where there is none. */
  series(backend, size, figure, data = this.data) {
    return data.series.find(
      (one) => one.backend === backend && String(one.size) === String(size) && one.figure === figure,
    );
  }

  /** A button with a chart row's figure; null where this kernel's file has none. */
  figureOf(chart, row, text) {
    const name = row.kernel === undefined && this.nameOf(chart, row);
    const shown = name && this.#point(this.data, this.kernel, row.backend, row.size, row.figure, row.release);
    return shown ? this.button(name, shown, text) : null;
  }

  /** The name of that figure in the address; undefined where there is none. */
  nameOf(chart, { kernel = this.kernel.name, backend, size, figure, release, absent }) {
    return release && figure && !absent ? figureName("point", kernel, backend, size, figure, release) : undefined;
  }

  /** The facts of the figure of that name in the address; undefined where there is none. */
  async figureNamed(name) {
    const [kind, ...parts] = figureParts(name) ?? [];
    if (kind === "release") return this.#measured(this.release(parts[0]));
    const file = this.ladder.kernels[parts[0]];
    if (kind !== "point" || !file) return undefined;
    const data = await loadData(file).catch(() => undefined);
    const kernel = this.kernels.find(({ name }) => name === parts[0]);
    return data && this.#point(data, kernel, ...parts.slice(1));
  }

  #point(data, kernel, backend, size, figure, release) {
    const series = this.series(backend, size, figure, data);
    const point = series?.points.find((point) => point.release === release);
    if (!point) return undefined;
    const at = this.atSize(series.size, kernel);
    return {
      title: [foreign(backend), `: ${figureWords(figure)}, ${visible(kernel.name)}${at}, with `, foreign(release)],
      figure: { ...point, unit: series.unit, benchmark: series.benchmark },
      backend,
      interpreted: series.interpreted,
      source: data.sources[point.source],
      machine: this.machine.name,
      history: this.curve(series.history, series.place),
      more: this.#corrected(series, point),
    };
  }

  /** The facts of a time's division by the drift. */
  #corrected(series, point) {
    const life = DRIFTS[series.group];
    const divisor = life && this.release(point.release)?.drift?.[life];
    const outcome = this.release(point.release);
    const raw = quantity(point.raw, series.unit);
    return [
      ["Release", foreign([point.release, day(outcome?.published)].filter(Boolean).join(", "))],
      ["As it was measured", divisor ? `${raw}; the machine’s drift, ${digits(divisor, 4)}, is divided out` : null],
      ["The whole release again", outcome?.command && element("code", {}, visible(outcome.command))],
    ];
  }

  /** A button that opens how a release was measured. */
  releaseButton(outcome) {
    return this.button(figureName("release", outcome.release), this.#measured(outcome), visible(outcome.release));
  }

  /** The facts of a release. */
  #measured(outcome) {
    if (!outcome) return undefined;
    const { release, published, measured, cells, reason, command, source } = outcome;
    return {
      title: [`${this.compiler} `, foreign(release)],
      figure: {
        value: cells ? countWords(cells) : "not measured",
        unit: null,
        command,
      },
      source: source === null ? undefined : this.ladder.sources[source],
      backend: this.ladder.backends[0],
      machine: this.machine.name,
      more: [
        ["Published", published && foreign(day(published))],
        ["Measured", measured && foreign(measured)],
        ["Reason", reason && element("span", {}, foreign(reason))],
      ],
    };
  }
}

/** "40 cases measured, 2 empty" */
function countWords({ measured, empty, failed }) {
  return [
    `${whole(measured)} case${measured === 1 ? "" : "s"} measured`,
    empty ? `${whole(empty)} empty` : "",
    failed ? `${whole(failed)} failed` : "",
  ]
    .filter(Boolean)
    .join(", ");
}
