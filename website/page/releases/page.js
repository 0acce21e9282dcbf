// The releases' page: its compiler, kernel and machine, and the source of each number.

import { loadData } from "../frame/data.js";
import { element, foreign, list, unseen, visible } from "../parts/dom.js";
import { counted, day, digits, quantity, versions, whole } from "../parts/format.js";
import { seenList } from "../frame/seen.js";
import { describeReplacements, FIRST, Page } from "../frame/page.js";
import { figureName, figureParts } from "../frame/provenance.js";
import { caseWords, figureWords, seriesOf } from "../frame/cases.js";
import { interval, verdict } from "../frame/verdict.js";
import { carriedBy, causeNodes, countWords, differenceOf, leftToTry, otherSizes, partsList, remarks } from "./explanations.js";
import { issueText } from "./issue.js";
import { WITHOUT_CACHE } from "./missing.js";
import { IN_TURN } from "./readings.js";

export class ReleasesPage extends Page {
  curvesView = "releases"; // the section that a kernel's link leads to

  /**
   * Choose the machine and compiler in the address, or others instead. Return a message if they are others.
   *
   * The entries: one for each compiler, of the machine in the address if that has it, else of that with the newest duet.
   */
  choose() {
    const wanted = this.state.now;
    const entries = this.index.releases;
    const measured = new Map(entries.map((entry) => [entry.machine, entry]));
    const described = this.index.machines.filter(({ id }) => measured.delete(id));
    const others = [...measured].map(([id, { processor, cores }]) => ({ id, name: id, processor, cores }));
    this.machines = [...described, ...others];
    const ids = this.machines.map(({ id }) => id);
    const ranked = preferred(entries.toSorted((one, other) => ids.indexOf(one.machine) - ids.indexOf(other.machine)), wanted);
    [this.entry] = ranked;
    this.machine = this.machines.find(({ id }) => id === this.entry?.machine);
    const ofCompilers = [...Map.groupBy(ranked, ({ compiler }) => compiler).values()].map(([first]) => first);
    this.entries = ofCompilers.sort((one, other) => (one.compiler < other.compiler ? -1 : 1));
    return describeReplacements([
      ["machine", wanted.machine, this.machine?.id],
      ["compiler", wanted.compiler, this.entry?.compiler],
    ]);
  }

  /** Why a chart has no rows. Duets need no drift. */
  whyEmpty(chart) {
    return chart.name === "drift" && this.ladder.duets ? IN_TURN : super.whyEmpty(chart);
  }

  get dataFile() {
    return this.entry.file;
  }

  get compiler() {
    return visible(this.entry.compiler);
  }

  /** A compiler's option, with the machine's name if the entry is of another machine. */
  compilerOption({ compiler, count, newest, machine }) {
    const elsewhere = machine === this.machine.id ? "" : `, on ${this.machineName(machine)}`;
    return [compiler, `${compiler}: ${counted(count, "releases")}, up to ${newest}${elsewhere}`];
  }

  /** Take a compiler's data. Choose the kernel in the address, or another one. Return a message if it is another one. */
  takeCompiler(ladder) {
    const wanted = this.state.now.kernel;
    this.ladder = ladder;
    this.kernels = Object.keys(ladder.kernels).map((name) => this.kernelNamed(name) ?? { name });
    const find = (wanted) => this.kernels.find(({ name }) => name === wanted);
    this.kernel = find(wanted) ?? find(FIRST) ?? this.kernels[0] ?? { name: "" };
    return describeReplacements([["kernel", wanted, this.kernel.name], ...this.#chooseTwoReleases()]);
  }

  /** Choose the two releases to compare. Return for each what the address has and what was chosen. */
  #chooseTwoReleases() {
    const links = (this.ladder.duets?.cases ?? []).flatMap((one) => one.links);
    const ends = new Set(links.flatMap(({ from, to }) => [from, to]));
    this.releasesInDuets = this.ladder.releases.filter(({ order }) => ends.has(order));
    const { from, to } = this.state.now;
    return this.releasesInDuets.length
      ? [["release", from, this.twoReleases.from.release], ["release", to, this.twoReleases.to.release]]
      : [];
  }

  /** The two releases in the address, or the oldest and the newest that have duets. */
  get twoReleases() {
    const { from, to } = this.state.now;
    const find = (wanted) => this.releasesInDuets.find(({ release }) => release === wanted);
    return { from: find(from) ?? this.releasesInDuets[0], to: find(to) ?? this.releasesInDuets.at(-1) };
  }

  rowsOf(chart) {
    return this.data.charts[chart] ?? this.ladder.charts[chart] ?? [];
  }

  /** The kernels that have this chart with this compiler on the same machine. */
  kernelsWith({ name }) {
    return this.entry.charts[name] ?? [];
  }

  /** The other machines that have this chart with this compiler, for this kernel if they have it. */
  machinesWith({ name }) {
    const { compiler } = this.entry;
    const others = this.index.releases.filter((one) => one.compiler === compiler && one.machine !== this.machine.id);
    return others
      .filter(({ charts }) => charts[name]?.length)
      .map(({ machine, charts }) => {
        const kernel = charts[name].find((one) => one === this.kernel.name) ?? charts[name][0];
        return [this.machineName(machine), { kernel, machine, compiler }];
      });
  }

  /** The subject of a chart's table. */
  subject(chart) {
    const machine = visible(this.machine.name);
    return chart.all ? `${this.compiler} on ${machine}` : `${this.kernelName}, ${this.compiler} on ${machine}`;
  }

  /** The release of that name or of that place in version order. */
  release(named) {
    return this.ladder.releases.find(({ release, order }) => release === named || order === named);
  }

  /** A button with a chart row's figure; only the text if this kernel's file has none. */
  chartButton(row, text) {
    const name = row.kernel === undefined && this.chartFigureName(row);
    const facts = name && this.#pointFacts(this.data, this.kernel.name, row.backend, row.size, row.figure, row.release);
    return facts ? this.button(name, facts, text) : text;
  }

  /** The name of that row's figure in the address; undefined if there is none. */
  chartFigureName({ kernel = this.kernel.name, backend, size, figure, release, absent }) {
    return release && figure && !absent ? figureName("point", kernel, backend, size, figure, release) : undefined;
  }

  /** The facts of the figure of that name in the address; undefined if there is none. */
  async factsNamed(name) {
    const [kind, ...parts] = figureParts(name);
    if (kind === "step") return this.#stepFacts(this.#stepNamed(parts));
    if (kind === "issue") return this.#issueFacts(this.#stepNamed(parts));
    if (kind === "release") return this.#releaseFacts(this.release(parts[0]));
    const file = this.ladder.kernels[parts[0]];
    if (kind !== "point" || !file) return undefined;
    const data = await loadData(file).catch(() => undefined);
    return data && this.#pointFacts(data, ...parts);
  }

  /** The change of a step: a button if duets measured the step, otherwise text. */
  stepButton(step, nodes) {
    return step.duet ? this.button(figureName("step", ...stepParts(step)), this.#stepFacts(step), nodes) : nodes;
  }

  /** A button that shows the text of an issue. */
  issueButton(step) {
    const open = () => this.state.change({ figure: figureName("issue", ...stepParts(step)) });
    return element("button", { type: "button", click: open }, "Issue", unseen(` of ${stepParts(step).join(", ")}`));
  }

  #stepNamed(parts) {
    const wanted = figureName(...parts);
    return this.ladder.steps.find((step) => step.duet && figureName(...stepParts(step)) === wanted);
  }

  /** The facts of a step in duets. */
  #stepFacts(step) {
    if (!step) return undefined;
    const { kernel, duet, benchmark } = step;
    const sizes = otherSizes(this, step);
    return {
      title: `${visible(kernel)}, ${caseWords(this, step)}`,
      figure: { value: verdict(step).textContent, unit: null, benchmark, command: duet.command },
      source: { ...this.ladder.sources[duet.after], installed: null, requirements: null, threads: null }, // both are below
      backend: step.backend,
      more: [
        ["Interval", `${interval(step)}, ${whole(duet.pairs)} pairs of processes`],
        ["Before", [quantity(step.before, step.unit), ", ", requirementNodes(this.ladder.sources[duet.before])]],
        ["After", [quantity(step.after, step.unit), ", ", requirementNodes(this.ladder.sources[duet.after])]],
        ["At other sizes", sizes.length ? list("plain", sizes) : null],
        ["On each machine", seenList(this, duet.machines)],
        ["Explained by", explained(carriedBy(this, step), causeNodes(step), leftToTry(this, step))],
        ["With one part exchanged", partsList(duet)],
        ["Remarks", remarks(duet).join(" ")],
        ["Counts", countWords(duet.artifacts)],
        ["What is compiled", differenceOf(duet.artifacts)],
        ["Measured", foreign(duet.measured)],
      ],
    };
  }

  /** The text of a step's issue, as facts. */
  #issueFacts(step) {
    if (!step) return undefined;
    return {
      title: `An issue for the tracker of ${this.compiler}`,
      figure: { value: "Nothing is sent: copy it", unit: null },
      text: issueText(this, step),
    };
  }

  #pointFacts(data, kernel, backend, size, figure, release) {
    const series = seriesOf(data, backend, size, figure);
    const point = series?.points.find((point) => point.release === release);
    if (!point) return undefined;
    const at = this.atSize(series.size, kernel);
    const isReference = series.in_duets && point === series.points.at(-1); // its ratio to itself has no interval
    return {
      title: [foreign(backend), `: ${figureWords(figure)}, ${visible(kernel)}${at}, with `, foreign(release)],
      figure: { ...point, ...(isReference && { low: null, high: null }), unit: series.unit, benchmark: series.benchmark },
      backend,
      interpreted: series.interpreted,
      source: data.sources[point.source],
      more: [
        ["Release", foreign([release, day(this.release(release)?.published)].filter(Boolean).join(", "))],
        ...(series.in_duets ? this.#chainFacts(series, point) : this.#driftFacts(series, point)),
      ],
    };
  }

  /** The facts of a time's division by the drift. */
  #driftFacts(series, point) {
    const outcome = this.release(point.release);
    const raw = quantity(point.raw, series.unit);
    const drift = point.raw === point.value ? null : digits(point.raw / point.value, 4);
    return [
      ["As it was measured", drift && `${raw}; the machine’s drift, ${drift}, is divided out`],
      ["Repeat the whole release", outcome?.command && element("code", {}, visible(outcome.command))],
    ];
  }

  /** The facts of a time that is computed: the newest release's time, multiplied by a chain of ratios; and of its own duet. */
  #chainFacts(series, point) {
    const newest = series.points.at(-1);
    const chained = `${quantity(newest.value, series.unit)} with ${visible(newest.release)}, times the ratios of the duets between them`;
    return [
      ["Ratio", point === newest && "1: it is the newest release with a number"],
      ["Computed from", point === newest ? null : chained],
      ["As it was measured, in its own duet", quantity(point.raw, series.unit)],
      ["Its duet", `${whole(point.pairs)} pairs of processes`],
      ["Compiler’s cache", point.afresh ? WITHOUT_CACHE : null],
    ];
  }

  /** A button that opens how a release was measured. */
  releaseButton(outcome) {
    return this.button(figureName("release", outcome.release), this.#releaseFacts(outcome), visible(outcome.release));
  }

  /** The facts of a release. */
  #releaseFacts(outcome) {
    if (!outcome) return undefined;
    const { release, status, published, measured, cells, reason, command, source } = outcome;
    const inDuets = status === "ok" ? "measured in duets" : "not measured";
    return {
      title: [`${this.compiler} `, foreign(release)],
      figure: { value: cells ? caseCounts(cells) : inDuets, unit: null, command },
      source: source === null ? undefined : this.ladder.sources[source],
      backend: this.ladder.backends[0],
      more: [
        ["Published", published && foreign(day(published))],
        ["Measured", measured && foreign(measured)],
        ["Reason", reason && element("span", {}, foreign(reason))],
      ],
    };
  }
}

/**
 * The entries, first what the reader wants, then those with the newest duets.
 *
 * If no compiler is wanted, the one with the most duets on the first entry's machine comes first.
 */
export function preferred(entries, wanted) {
  const ranked = entries.toSorted(
    (one, other) =>
      (other.machine === wanted.machine) - (one.machine === wanted.machine) ||
      (other.compiler === wanted.compiler) - (one.compiler === wanted.compiler) ||
      Date.parse(other.measured ?? 0) - Date.parse(one.measured ?? 0),
  );
  const [first] = ranked;
  if (!first || first.compiler === wanted.compiler) return ranked;
  const [most] = ranked.filter(({ machine }) => machine === first.machine).sort((one, other) => other.duets - one.duets);
  return [most, ...ranked.filter((entry) => entry !== most)];
}

/** The values that identify a step of a compiler. */
function stepParts({ kernel, backend, size, figure, to }) {
  return [kernel, backend, size, figure, to].map(String);
}

/** The nodes of a step's explanation, a line each; null if there is none. */
function explained(carried, causes, left) {
  const command = left && [`${left.words}: `, element("code", {}, left.command)];
  const lines = [carried, ...causes, command].filter(Boolean);
  return lines.length ? list("plain", lines) : null;
}

function requirementNodes({ requirements }) {
  return foreign(versions(requirements));
}

/** "40 cases measured, 2 empty" */
function caseCounts({ measured, empty, failed }) {
  const others = [empty && `${whole(empty)} empty`, failed && `${whole(failed)} failed`].filter(Boolean);
  return [`${counted(measured, "cases")} measured`, ...others].join(", ");
}
