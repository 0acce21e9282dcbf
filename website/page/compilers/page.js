// The compilers' page: its kernel and machine, and the source of each number.

import { loadData } from "../frame/data.js";
import { foreign, visible } from "../parts/dom.js";
import { matrixFigure } from "./matrix.js";
import { Page } from "../frame/page.js";
import { figureName, figureParts } from "../frame/provenance.js";
import { rivalFigure } from "./rivals.js";
import { LACKING } from "./sentence.js";
import { isNumber } from "../parts/format.js";

const RANKED_ALONE =
  "Charts of times, errors and first calls draw results of asv, and none are stored of this kernel on this machine.";
const OF_A_RANKING = ["seconds", "roofline"]; // the charts shown without results of asv: the first says why it is empty
const NO_ROOF_OF_A_GPU = "The roof of a GPU is not measured.";

export class CompilersPage extends Page {
  /** Choose the kernel and machine in the address, or others instead. Return a message if they are others. */
  choose() {
    return this.chooseKernel(this.index.machines);
  }

  /** The ranking at the size in the address, or at the best size. */
  get ranking() {
    return this.rankingAt(this.state.now.size);
  }

  /** The ranking at a size, which is a text, or at the best size; with one thread a backend if the address says so and some
   * backend has more. */
  rankingAt(wantedSize) {
    const wanted = this.data.rankings.find(({ size }) => String(size) === wantedSize);
    const ranking = wanted ?? this.data.rankings.reduce(better, undefined);
    const hasThreads = Boolean(ranking?.one_thread) && ranking.entries.some(({ processes, threads }) => processes && threads > 1);
    const isOneThread = hasThreads && this.state.now.threads === "1";
    return ranking && { ...ranking, hasThreads, isOneThread, entries: isOneThread ? ranking.one_thread : ranking.entries };
  }

  /** True if the machine's kernels run on a GPU. */
  get isOnGpu() {
    return this.machine.device === "gpu";
  }

  /** True if the kernel has a ranking here, but no results of asv. */
  get isRankedAlone() {
    return this.data.rankings.length > 0 && !this.data.sources.length;
  }

  chartsOf({ charts }) {
    return this.isRankedAlone ? charts.filter(({ name }) => OF_A_RANKING.includes(name)) : charts;
  }

  /** Why a chart has no rows. Some kernels have no roof; some have only a ranking; the roof of a GPU is not measured. */
  whyEmpty(chart) {
    const reason = chart.name === "roofline" && this.ranking?.roof_reason;
    if (reason) return `This kernel has no roof: ${visible(reason)}.`;
    if (chart.name === "roofline" && this.isOnGpu) return NO_ROOF_OF_A_GPU;
    return this.isRankedAlone && chart.name !== "roofline" ? `${RANKED_ALONE} ${chart.brings}` : super.whyEmpty(chart);
  }

  /** The row of a backend at a size; without a size, that of its call patterns. */
  row(backend, size) {
    const { rows, observations } = this.data;
    return [...rows, ...observations].find((row) => row.backend === backend && String(row.size) === String(size));
  }

  /** A button with a row's figure, which opens its source; only the text if the row has no such figure. */
  figureButton(row, name, text) {
    if (!row?.figures[name]) return text;
    return this.button(figureName("row", row.backend, row.size, name), this.figureFacts(row, name), text);
  }

  /** A button with the time of a ranking's entry, which opens its source: the run, or asv's figure. */
  timeButton(ranking, entry, text) {
    if (!entry.processes) return this.figureButton(this.data.rows[entry.figures], "warm_seconds", text);
    return this.button(figureName("run", entry.backend, ranking.size), this.runFacts(ranking, entry), text);
  }

  /** The facts of an entry's time in a run. */
  runFacts({ run, size }, entry, kernel = this.kernel.name) {
    const { backend } = entry;
    const about = { subject: run.subject ?? LACKING, requirements: null, installed: { [backend]: run.requirements } };
    return {
      title: [foreign(backend), `: warm seconds, ${visible(kernel)}${this.atSize(size, kernel)}`],
      figure: { ...entry, value: entry.seconds, unit: "seconds", command: run.command },
      backend,
      interpreted: false,
      more: [
        ["Too long", run.remark && foreign(run.remark)],
        ["The command", "measures the kernel on all backends, at all sizes"],
      ],
      source: { ...run, ...about, threads: { [backend]: entry.threads } },
    };
  }

  /** The button with the figure of a chart's row. */
  chartButton(row, text) {
    return this.figureButton(this.row(row.backend, row.size), row.figure, text);
  }

  /** The name of that row's figure in the address; undefined if there is none. */
  chartFigureName({ backend, size, figure }) {
    const row = this.row(backend, size);
    return row?.figures[figure] && figureName("row", backend, size, figure);
  }

  /** The facts of a row's figure. */
  figureFacts(row, name, data = this.data, kernel = this.kernel.name) {
    const figure = row.figures[name];
    return {
      title: [
        foreign(row.backend),
        `: ${visible(name.replaceAll("_", " ").replaceAll(".", ", "))}, ${visible(kernel)}${this.atSize(row.size, kernel)}`,
      ],
      figure,
      backend: row.backend,
      interpreted: row.interpreted,
      source: data.sources[figure.source],
      history: this.#curve(data.benchmarks[figure.benchmark]?.history, figure.place),
    };
  }

  /** The link to a benchmark's curves, or to the curve of one case; null if the link leaves this site's history. */
  #curve(link, place) {
    if (!link?.startsWith(this.index.history || "history/")) return null;
    return isNumber(place) ? `${link}&params=${place}` : link;
  }

  /** The facts of the figure of that name in the address; undefined if there is none. */
  async factsNamed(name) {
    const [kind, ...parts] = figureParts(name);
    if (kind === "row") {
      const row = this.row(parts[0], parts[1]);
      return row?.figures[parts[2]] && this.figureFacts(row, parts[2]);
    }
    if (kind === "run") {
      const ranking = this.rankingAt(parts[1]);
      const entry = ranking?.entries.find(({ backend, processes }) => backend === parts[0] && processes);
      return entry && String(ranking.size) === parts[1] ? this.runFacts(ranking, entry) : undefined;
    }
    if (kind === "rival") {
      const ranked = this.index.machines.find(({ id }) => id === parts[0])?.kernels[parts[1]];
      const [rivals, data] = ranked ? await Promise.all([this.index.rivals, ranked].map(loadData)).catch(() => []) : [];
      return rivals && rivalFigure(this, rivals, data, ...parts);
    }
    const file = this.machine.kernels[parts[0]];
    if (kind !== "matrix" || !file) return undefined;
    const [matrix, data] = await Promise.all([loadData(this.machine.matrix), loadData(file)]).catch(() => []);
    return matrix && matrixFigure(this, matrix, data, parts[0], parts[1]);
  }
}

/** The better of two rankings to begin with: one with ranks, then the newer run, more ranked backends, the larger size. */
function better(best, next) {
  if (!best) return next;
  const began = ({ run }) => run?.began ?? "";
  const ranked = ({ entries }) => entries.filter((entry) => entry.rank !== null).length;
  if (!ranked(best) !== !ranked(next)) return ranked(best) ? best : next;
  const isKept = began(best) === began(next) ? ranked(best) > ranked(next) : began(best) > began(next);
  return isKept ? best : next;
}
