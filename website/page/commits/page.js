// The commits' page: its kernel and machine, and the source of each number.

import { loadData } from "../frame/data.js";
import { element, foreign, visible } from "../parts/dom.js";
import { digits, quantity, seconds, whole } from "../parts/format.js";
import { seenList } from "../frame/seen.js";
import { Page } from "../frame/page.js";
import { figureName, figureParts } from "../frame/provenance.js";
import { caseWords, seriesOf } from "../frame/cases.js";
import { interval, verdict } from "../frame/verdict.js";

const REPEATED =
  "The command measures both commits by HEAD’s benchmarks and pins, each in turn with the anchor, and with each other if that shows a step.";

export class CommitsPage extends Page {
  curvesView = "commits"; // the section that a kernel's link leads to

  /** Choose the kernel and machine in the address, or others instead. Return a message if they are others. */
  choose() {
    return this.chooseKernel(this.index.commits);
  }

  /** A button with a chart row's figure; only the text if this kernel's file has none. */
  chartButton(row, text) {
    const facts = this.#pointFacts(this.data, this.kernel.name, row.backend, row.size, row.figure, row.commit);
    return facts ? this.button(this.chartFigureName(row), facts, text) : text;
  }

  /** The name of that row's figure in the address. */
  chartFigureName({ backend, size, figure, commit }) {
    return figureName("point", this.kernel.name, backend, size, figure, commit);
  }

  /** The change of a step: a button between commits, text between releases, because these have their own page. */
  stepButton(step, text) {
    const { kernel, benchmark, cell, to } = step;
    return step.command ? this.button(figureName("step", kernel, benchmark, cell.join(), to.short), this.#stepFacts(step), text) : text;
  }

  /** The facts of the figure of that name in the address; undefined if there is none. */
  async factsNamed(name) {
    const [kind, kernel, ...parts] = figureParts(name);
    if (kind === "step") {
      const [benchmark, cell, short] = parts;
      const isIt = (step) => step.benchmark === benchmark && step.cell.join() === cell && step.to.short === short;
      return this.#stepFacts(this.steps.steps.find(isIt));
    }
    const file = this.machine.kernels[kernel];
    if (kind !== "point" || !file) return undefined;
    const data = await loadData(file).catch(() => undefined);
    return data && this.#pointFacts(data, kernel, ...parts);
  }

  #pointFacts(data, kernel, backend, size, figure, short) {
    const series = seriesOf(data, backend, size, figure);
    const point = series?.points.find(({ order }) => data.commits[order].short === short);
    if (!point) return undefined;
    const { ratio, low, high, value, pairs } = point;
    const range = `${seconds(low)} to ${seconds(high)}`;
    const commit = data.commits[point.order];
    const source = { ...data.sources[point.source], ...commit };
    const isOfTwo = pairs && source.base !== commit.short; // an anchor has only itself
    const both = `'${source.base} ${commit.commit}'`; // by one suite: an old commit's own may lack the benchmark case
    const command = isOfTwo && `make history COMMITS=${both} AGAIN=1 BENCH=${series.bench}`;
    const repeated = isOfTwo && ". The command measures both commits in turn with the anchor of the machine that it runs on";
    const facts = pairs
      ? [
          ["95 % interval", `${range}, ${whole(pairs)} pairs of processes`],
          ["Ratio", [`${digits(ratio, 4)} to the anchor `, element("code", {}, visible(series.anchor))]],
          ["Duet against", [element("code", {}, visible(source.base)), repeated]],
        ]
      : [["Ratio", "1: it is the anchor"]];
    return {
      title: `${caseWords(this, { ...series, kernel })}, ${visible(kernel)}`,
      figure: {
        value: seconds(value),
        unit: null,
        benchmark: series.benchmark,
        command,
      },
      backend,
      interpreted: series.interpreted,
      source,
      more: [...facts, ...this.#originFacts(source)],
    };
  }

  #stepFacts(step) {
    if (!step?.command) return undefined;
    const { kernel, before, after, unit, pairs, benchmark, command } = step;
    const source = this.steps.sources[step.source];
    return {
      title: `${caseWords(this, step)}, ${visible(kernel)}`,
      figure: { value: verdict(step).textContent, unit: null, benchmark, command },
      backend: step.backend,
      source,
      more: [
        ["Interval", interval(step) && `${interval(step)}, ${whole(pairs)} pairs of processes`],
        ["Before", [quantity(before, unit), ", ", this.commit(step.from), " ", foreign(step.from.subject ?? "")]],
        ["After", [quantity(after, unit), ", ", this.commit(step.to), " ", foreign(step.to.subject ?? "")]],
        ["On each machine", seenList(this, step.machines)],
        ["To repeat it", REPEATED],
        ...this.#originFacts(source),
      ],
    };
  }

  #originFacts({ measured, suite }) {
    return [
      ["Measured", foreign(measured)],
      ["Benchmarks of commit", element("code", {}, visible(suite))],
    ];
  }
}
