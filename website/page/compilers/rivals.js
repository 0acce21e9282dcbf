// How far a compiler is from the fastest program of another framework, kernel by kernel, on each machine.

import { choice } from "../parts/choice.js";
import { element, foreign, list, sentence, visible } from "../parts/dom.js";
import { counted, day, digits, listed, seconds, times, whole } from "../parts/format.js";
import { numbers, table } from "../parts/tables.js";
import { unitOf } from "../frame/page.js";
import { figureName } from "../frame/provenance.js";
import { LACKING } from "./sentence.js";

const FIRST = "jax"; // the backend to begin with
const NONE = "No machine has ranked the backends with one thread each: `make ranking` does it.";
const HOW =
  "All backends use one thread. The rival is the fastest backend of another framework, or C, in the same run of five " +
  "processes each. Below a factor is the range that the processes allow. Grey: they can’t tell the two apart.";

/** The nodes: the choice of a compiler, where it is farthest behind, and the table by kernel and machine. */
export function rivalsView(page, { machines, rows, on_numbers: onNumbers }) {
  if (!rows.length) return [element("p", {}, sentence(NONE))];
  const backends = page.index.backends.map(({ name }) => name).filter((name) => rows.some(({ backend }) => backend === name));
  const wanted = [page.state.now.backend, FIRST].find((name) => backends.includes(name)) ?? backends[0];
  const own = rows.filter(({ backend }) => backend === wanted);
  const ranked = machines.filter(({ id }) => own.some(({ machine }) => machine === id));
  const options = backends.map((name) => [name, name]);
  const change = (backend) => page.state.change({ backend });
  return [
    element("div", { class: "choices" }, choice("rivals-backend", "Compiler", options, wanted, change)),
    element("p", {}, reading(page, wanted, own, onNumbers)),
    element("p", {}, sentence(HOW), dispatch(onNumbers.filter((name) => own.some(({ kernel }) => kernel === name)))),
    rivalsTable(page, wanted, own, ranked, onNumbers),
    list("notes", ranked.flatMap(({ name, runs }) => runs.map((run) => runNodes(page, name, run)))),
  ];
}

/** The machine, day, commit and versions of a run. */
function runNodes(page, machine, run) {
  const lacks = run.subject === null; // the repository does not have the commit, so no page can be linked to
  const commit = lacks ? [element("code", {}, visible(run.short)), `, which ${LACKING}`] : page.commit(run);
  const versions = Object.entries({ Python: run.python, ...run.requirements, ...run.settings }).map((pair) => visible(pair.join(" ")));
  const remark = run.remark && [" ", element("b", {}, "Too long: "), foreign(run.remark)];
  return [foreign(machine), `: ${day(run.began)}, commit `, commit, `; ${versions.join(", ")}.`, remark];
}

/** The kernels whose time is mostly the fixed cost of a call; "" without any. */
function dispatch(kernels) {
  if (!kernels.length) return "";
  return (
    " Kernels on single numbers time mostly what a call costs. They come last, and “farthest behind” leaves them out: " +
    `${visible(listed(kernels))}.`
  );
}

/** How often the backend is ahead of all others or behind its rival, and where it is farthest behind. */
function reading(page, backend, rows, onNumbers) {
  const behind = rows.filter(({ factor, differs }) => differs && factor > 1);
  const ahead = rows.filter(({ factor, differs }) => differs && factor < 1);
  const worst = behind
    .filter(({ kernel }) => !onNumbers.includes(kernel))
    .reduce((most, row) => (!most || row.factor > most.factor ? row : most), null);
  const counts =
    `${visible(backend)} is faster than every other framework in ${whole(ahead.length)} of ${whole(rows.length)} rankings, ` +
    `and slower than its rival in ${whole(behind.length)}`;
  if (!worst) return `${counts}.`;
  const where = page.machineName(worst.machine);
  return `${counts}. It is farthest behind in ${visible(worst.kernel)}: ${times(worst.factor)} the time of ${visible(worst.rival)} on ${where}.`;
}

function rivalsTable(page, backend, rows, machines, onNumbers) {
  const kernels = [...new Set(rows.map(({ kernel }) => kernel))].map((kernel) => {
    const cells = new Map(rows.filter((row) => row.kernel === kernel).map((row) => [row.machine, row]));
    return { kernel, cells, worst: Math.max(...[...cells.values()].map(({ factor }) => factor)) };
  });
  kernels.sort((one, other) => other.worst - one.worst);
  return table(page, {
    id: "rivals-table",
    caption: `Time of ${visible(backend)} over its rival’s, by kernel and machine`,
    columns: [
      { key: "kernel", label: "Kernel", head: true, sort: ({ kernel }) => kernel, cell: (row) => kernelLink(page, row) },
      ...machines.map(({ id, name }) =>
        numbers(id, name, (_, { cells }) => factorNode(page, cells.get(id)), {
          of: ({ cells }) => cells.get(id)?.factor,
          none: () => element("small", {}, "not ranked"),
        }),
      ),
    ],
    groups: [false, true].map((last) => kernels.filter(({ kernel }) => last === onNumbers.includes(kernel))),
  });
}

function kernelLink(page, { kernel, cells }) {
  const sizes = [...new Set([...cells.values()].map(({ size }) => size))];
  const unit = unitOf(page.kernelNamed(kernel));
  return [
    page.kernelLink(kernel, { size: String(sizes[0]), threads: "1", view: "answer" }),
    element("small", {}, sizes.map((size) => counted(size, unit)).join(", ")),
  ];
}

function factorNode(page, row) {
  const { machine, kernel, backend, factor, low, high, rival, differs } = row;
  const shown = { figure: { value: row.seconds, unit: "seconds" }, backend };
  return element(
    "span",
    { class: differs ? null : "unranked" },
    page.button(figureName("rival", machine, kernel, backend), shown, times(factor)),
    " ",
    foreign(rival),
    element("small", {}, `${digits(low)} to ${digits(high)}`),
  );
}

/** The facts of a cell's factor; undefined if there is none. data: the file of the cell's kernel on its machine. */
export function rivalFigure(page, { rows }, data, ...names) {
  const row = rows.find(({ machine, kernel, backend }) => [machine, kernel, backend].join() === names.join());
  const ranking = row && data.rankings.find(({ size }) => size === row.size);
  const entry = ranking?.one_thread?.find(({ backend }) => backend === row.backend);
  if (!entry) return undefined;
  const { factor, low, high, rival, rival_seconds: other } = row;
  return {
    ...page.runFacts(ranking, entry, row.kernel),
    machine: page.machineName(row.machine),
    more: [
      ["Rival", [foreign(rival), `: ${seconds(other)}`]],
      ["Time over the rival’s", `${times(factor)} (${digits(low)} to ${digits(high)})`],
    ],
  };
}
