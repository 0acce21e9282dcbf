// What every view needs to know: the data that is shown, the state in the address, and how a name or a number is written.

import { element, foreign, visible } from "./dom.js";
import { whole } from "./format.js";
import { figureName, inShort } from "./provenance.js";
import { symbol } from "./symbols.js";

export class Page {
  /** index: data/index.json; state: a State; tip: a Tip; looks: charts/index.json, how charts and backends look. */
  constructor({ index, state, tip, looks }) {
    Object.assign(this, { index, state, tip, looks });
    this.known = new Map(index.backends.map((backend) => [backend.name, backend]));
  }

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
    const missing = [
      asked.kernel && this.kernel?.name !== asked.kernel ? `kernel ${visible(asked.kernel)}` : "",
      asked.machine && this.machine?.id !== asked.machine ? `machine ${visible(asked.machine)}` : "",
    ].filter(Boolean);
    return missing.length ? `There are no results for ${missing.join(" and ")}: this is the nearest.` : "";
  }

  get kernelName() {
    return visible(this.kernel.name);
  }

  get unit() {
    return visible(this.kernel.unit || this.kernel.size || "elements");
  }

  /** Show the data of a kernel on a machine. */
  take(data) {
    this.data = data;
  }

  /** The ranking of the size that the state asks for, or of the size that most backends have, the larger of two. */
  get ranking() {
    const asked = this.data.rankings.find(({ size }) => String(size) === this.state.now.size);
    const ranked = (ranking) => ranking.entries.filter((entry) => entry.rank !== null).length;
    return (
      asked ?? this.data.rankings.reduce((best, next) => (best && ranked(best) > ranked(next) ? best : next), undefined)
    );
  }

  /** A backend's {colour, dash, shape}, the same everywhere. */
  look(backend) {
    return this.looks.backends[backend] ?? this.looks.unknown ?? { colour: "currentColor", dash: [], shape: "circle" };
  }

  /** A backend's name after its symbol. */
  named(backend, interpreted = false) {
    const what = this.known.get(backend)?.what;
    return [
      symbol(interpreted ? { ...this.look(backend), dash: this.looks.interpreted } : this.look(backend)),
      foreign(backend, { title: what ? visible(what) : null }),
      interpreted ? element("small", { class: "interpreted" }, " interpreted") : null,
    ];
  }

  /** Whether it compiles just in time: what is neither ahead of time nor op by op. */
  isJit(backend) {
    const dialect = this.known.get(backend)?.dialect;
    return Boolean(dialect) && !["c", "numpy", "python"].includes(dialect) && !backend.endsWith("_eager");
  }

  hidden(backend) {
    return this.state.now.hide.includes(backend);
  }

  /** Hide a backend in the charts, or show it again. */
  toggle(backend) {
    const hide = this.state.now.hide;
    this.state.change({ hide: this.hidden(backend) ? hide.filter((name) => name !== backend) : [...hide, backend] });
  }

  /** How the table of that name is sorted: "key", "key:down" or "". */
  sortOf(table) {
    const [name, ...sort] = this.state.now.sort.split(":");
    return name === table ? sort.join(":") : "";
  }

  sortBy(table, sort) {
    this.state.change({ sort: `${table}:${sort}` });
  }

  /** Keep in the address whether a reader has opened some details. */
  remember(details) {
    if (details.printed) return;
    const open = this.state.now.open.filter((id) => id !== details.id);
    this.state.change({ open: details.open ? [...open, details.id] : open }, { replace: true });
  }

  /** A button with a row's figure as its text, which tells where the number comes from; null where the row has none. */
  figure(row, name, text) {
    const figure = row?.figures[name];
    if (!figure || figure.value === null || figure.value === undefined) return null;
    return this.button(figureName("row", row.backend, row.size, name), this.about(row, name), text);
  }

  button(name, shown, text) {
    const made = element(
      "button",
      { type: "button", class: "figure", "data-figure": name, click: () => this.state.change({ figure: name }) },
      text,
    );
    return this.tip.attach(made, () => inShort(shown));
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

  /** The link to a benchmark's curves, narrowed to that of one cell; null for what is no page of this site's history. */
  curve(link, place) {
    if (!link?.startsWith(this.index.history || "history/")) return null;
    return typeof place === "number" ? `${link}&params=${place}` : link;
  }

  /** The row of a backend at a size. */
  row(backend, size) {
    return this.data.rows.find((row) => row.backend === backend && String(row.size) === String(size));
  }
}

function newest(machines) {
  return machines.reduce((best, next) => (best && (best.newest ?? "") >= (next.newest ?? "") ? best : next), undefined);
}
