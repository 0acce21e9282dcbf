// What the views of all pages share: the state in the address, and how names and numbers are written.

import { element, foreign, visible } from "../parts/dom.js";
import { counted, isNumber, listed, whole } from "../parts/format.js";
import { tipText } from "./provenance.js";
import { symbol } from "../parts/symbols.js";

export const FIRST = "philox_pi"; // the kernel if the address has none: it is the same work on every backend

export class Page {
  /** index: data/index.json; state: a State; tip: a Tip; looks: how charts and backends look (charts/*.json). */
  constructor({ index, state, tip, looks }) {
    Object.assign(this, { index, state, tip, looks });
    this.backends = new Map(index.backends.map((backend) => [backend.name, backend]));
  }

  /**
   * Choose the kernel and machine in the address, or others instead. Return a message if they are others.
   *
   * machines: those that this page can show, each with its kernels.
   */
  chooseKernel(machines) {
    const wanted = this.state.now;
    this.kernels = this.index.kernels.filter(({ name }) => machines.some(({ kernels }) => name in kernels));
    const find = (wanted) => this.kernels.find(({ name }) => name === wanted);
    this.kernel = find(wanted.kernel) ?? find(FIRST) ?? find(Object.keys(fullest(machines)?.kernels ?? {})[0]);
    this.machines = machines.filter(({ kernels }) => this.kernel && this.kernel.name in kernels);
    this.machine = this.machines.find(({ id }) => id === wanted.machine) ?? fullest(this.machines);
    const isKnown = machines.some(({ id }) => id === wanted.machine); // with other kernels
    return describeReplacements([
      ["kernel", wanted.kernel, this.kernel?.name],
      [isKnown ? `${this.kernelName} on machine` : "machine", wanted.machine, this.machine?.id],
    ]);
  }

  /** The flat rows of a chart. */
  rowsOf(chart) {
    return this.data.charts[chart] ?? [];
  }

  /** The subject of a chart's table. */
  subject() {
    return `${this.kernelName} on ${visible(this.machine.name)}`;
  }

  get kernelName() {
    return visible(this.kernel.name);
  }

  /** The word for what the kernel's sizes count. */
  get unit() {
    return unitOf(this.kernel);
  }

  /** " at 1,000 points"; "" for a case without a size. kernel: its name. */
  atSize(size, kernel = this.kernel.name) {
    return isNumber(size) ? ` at ${counted(size, unitOf(this.kernelNamed(kernel)))}` : "";
  }

  /** The charts of a section that are shown. Without any the section is hidden. */
  chartsOf({ charts }) {
    return charts;
  }

  /** Why a chart has no rows, and what brings some. */
  whyEmpty({ wants, brings }) {
    return `Not measured here: ${this.withUnit(wants)}. ${brings}`;
  }

  /** The kernels that have this chart on the same machine. */
  kernelsWith({ name }) {
    return this.machine.charts[name] ?? [];
  }

  /** The other machines that have this chart for this kernel, each [its name, what its address changes]. */
  machinesWith({ name }) {
    const kernel = this.kernel.name;
    const others = this.machines.filter((one) => one !== this.machine && one.charts[name]?.includes(kernel));
    return others.map((one) => [one.name, { kernel, machine: one.id }]);
  }

  /** The file that most of the page is drawn from. */
  get dataFile() {
    return this.machine.kernels[this.kernel.name];
  }

  /** A commit, with a link to its diff if the repository's address is known. */
  commit({ commit, short }) {
    const code = element("code", {}, visible(short));
    const known = this.index.diffs?.startsWith("https://");
    return known ? element("a", { href: `${this.index.diffs}${commit}` }, code) : code;
  }

  /** The name of a machine; its id if the index has no name. */
  machineName(id) {
    const { machines, commits } = this.index;
    return visible([...machines, ...commits].find((machine) => machine.id === id)?.name ?? id);
  }

  /** The kernel of that name. */
  kernelNamed(name) {
    return this.index.kernels.find((kernel) => kernel.name === name);
  }

  /** A text with the word for sizes in place of {size}. */
  withUnit(text) {
    return text.replaceAll("{size}", this.unit);
  }

  /** A backend's {colour, dash, shape}, the same everywhere. */
  look(backend) {
    return this.looks.backends[backend] ?? this.looks.unknown ?? { colour: "currentColor", dash: [], shape: "circle" };
  }

  /** A backend's name after its symbol. */
  backendName(backend, interpreted = false) {
    const what = this.backends.get(backend)?.what;
    return [
      symbol(interpreted ? { ...this.look(backend), dash: this.looks.interpreted } : this.look(backend)),
      foreign(backend, { title: what ? visible(what) : null }),
      interpreted ? element("small", { class: "interpreted" }, " interpreted") : null,
    ];
  }

  /** True if it compiles just in time: not ahead of time, and not operation by operation. */
  isJit(backend) {
    return this.looks.just_in_time?.includes(backend) ?? false;
  }

  /** True if with one thread it would be another program. */
  needsThreads(backend) {
    return this.looks.needs_threads?.includes(backend) ?? false;
  }

  isHidden(backend) {
    return this.state.now.hide.includes(backend);
  }

  /** Hide a backend in the charts, or show it again. */
  toggle(backend) {
    const hide = this.state.now.hide;
    this.state.change({ hide: this.isHidden(backend) ? hide.filter((name) => name !== backend) : [...hide, backend] });
  }

  /** How the table of that name is sorted: "key", "key:down" or "". */
  sortOf(table) {
    const [name, ...sort] = this.state.now.sort.split(":");
    return name === table ? sort.join(":") : "";
  }

  sortBy(table, sort) {
    this.state.change({ sort: sort && `${table}:${sort}` });
  }

  /** Keep in the address whether a reader opened these details. */
  remember(details) {
    if (details.printed) return;
    const open = this.state.now.open.filter((id) => id !== details.id);
    this.state.change({ open: details.open ? [...open, details.id] : open }, { replace: true });
  }

  /** Details that stay open, or closed, as a reader leaves them. */
  details(id, summary, ...content) {
    const open = this.isOpen(id);
    const toggle = (event) => this.remember(event.target);
    return element("details", { id, open, toggle }, element("summary", {}, summary), ...content);
  }

  /** A link to a kernel on this page; change: what else is different in the address. Other threads stay as a reader chose them. */
  kernelLink(kernel, change) {
    const href = this.state.address({ kernel, figure: "", ...change });
    return element("a", { href, "data-kernel": kernel, "data-threads": change.threads }, foreign(kernel));
  }

  /** A button that opens the figure of that name, with a tip of its facts. */
  button(name, facts, text) {
    const open = () => this.state.change({ figure: name });
    const button = element("button", { type: "button", class: "figure", "data-figure": name, click: open }, text);
    return this.tip.attach(button, () => tipText(facts));
  }

  /** True if a reader opened these details, or wants to see this list in full. */
  isOpen(id) {
    return this.state.now.open.includes(id);
  }

  /** A button that adds `id` to the open details, so that a list is shown in full. */
  showAllButton(id, count) {
    const open = () => this.state.change({ open: [...this.state.now.open, id] });
    return element("button", { type: "button", click: open }, `Show all ${whole(count)}`);
  }

  /** The address of another page of this site: the kernel and machine that the reader chose, even where this page lacks them;
   * without a choice the shown kernel. other: parts instead. */
  addressOf(file, other = {}) {
    const kernel = this.state.now.kernel || (this.kernel?.name ?? "");
    return file + this.state.address({ kernel, view: "", figure: "", size: "", sort: "", from: "", to: "", at: "", open: [], ...other });
  }
}

/** The word for what a kernel's sizes count. */
export function unitOf(kernel) {
  return visible(kernel?.unit ?? "elements");
}

/** The machine that fills most of the page: with the most charts of all kernels, and of several such the one measured last. */
function fullest(machines) {
  const charts = (machine) => Object.values(machine.charts).flat().length;
  const newestFirst = (one, other) => (other.newest ?? "").localeCompare(one.newest ?? "");
  return [...machines].sort((one, other) => charts(other) - charts(one) || newestFirst(one, other))[0];
}

/** The message for an address without results; pairs: what it is, the name in the address, the name that is shown. */
export function describeReplacements(pairs) {
  const missing = pairs.filter(([, wanted, shown]) => wanted && shown && wanted !== shown);
  if (!missing.length) return "";
  const wanted = missing.map(([what, name]) => `${what} ${visible(name)}`);
  const shown = missing.map(([, , name]) => visible(name));
  return `There are no results for ${listed(wanted)}; ${listed(shown)} ${shown.length === 1 ? "is" : "are"} shown.`;
}
