// The table of kernels and backends: a number, or the reason why there is none.

import { breakable, element, foreign, unseen, visible } from "../parts/dom.js";
import { counted, isNumber, listed, seconds, whole } from "../parts/format.js";
import { unitOf } from "../frame/page.js";
import { figureName } from "../frame/provenance.js";
import { roving } from "../parts/roving.js";
import { region } from "../parts/tables.js";

const LIMITS = [1.05, 2, 5, 20, 100]; // times the row's fastest; below each limit a cell's colour is deeper
const DEPTHS = [0, 0.05, 0.11, 0.18, 0.26, 0.36]; // opacities of the colour, by how many limits a cell is below

/** The nodes of the matrix. */
export function matrixView(page, matrix) {
  const reasons = new Map();
  const rows = matrix.rows.map((kernel, place) => row(page, matrix, kernel, matrix.cells[place], reasons));
  const caption = `Seconds per warm call, by kernel and backend, on ${visible(page.machine.name)}`;
  const heads = matrix.columns.map((backend) => element("th", { scope: "col", class: "number" }, breakable(backend)));
  const table = element(
    "table",
    { id: "matrix-table", class: "matrix", role: "grid", "aria-readonly": "true" },
    element("caption", {}, element("span", {}, caption)),
    element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "Kernel"), heads)),
    element("tbody", {}, rows),
  );
  roving(table, "button, a", { grid: true });
  const meanings = [...reasons].map(([reason, { letter, count }]) => [
    element("dt", {}, letter),
    element("dd", {}, foreign(reason), ` (${counted(count, "cells")})`),
  ]);
  return [
    element(
      "p",
      {},
      "A row has the size below its kernel’s name. Cells at another size, or from another run, say so. ",
      "The deeper a cell’s colour, the nearer its time is to the shortest of the row’s run; cells of another run have none. ",
      "Bold: first in the row’s run of ",
      element("code", {}, "make ranking"),
      ", or, in a row with “no run”, the shortest stored time. ",
      element("em", {}, "Slanted"),
      ": interpreted. A letter stands for a reason, listed below. ",
      !page.isOnGpu && page.looks.one_thread && `Threads: ${listed(page.looks.one_thread)} use one thread, the others up to one per core.`,
    ),
    region(caption, table),
    reasons.size ? element("dl", { class: "reasons" }, meanings) : null,
  ];
}

function row(page, matrix, kernel, cells, reasons) {
  const inRun = cells.find((cell) => cell.in_run); // all cells of a run have the same size
  const hasRun = Boolean(inRun);
  const size = inRun?.size ?? commonest(cells.map((cell) => cell.size));
  const timed = cells.filter((cell) => isNumber(cell.seconds) && !cell.interpreted && cell.size === size);
  const comparable = hasRun ? timed.filter((cell) => cell.in_run) : timed;
  const fastest = Math.min(...comparable.map((cell) => cell.seconds));
  const isBest = (cell) => (hasRun ? cell.rank === 1 : comparable.includes(cell) && cell.seconds === fastest);
  const shown = (cell) => ({ ratio: comparable.includes(cell) ? cell.seconds / fastest : null, isBest: isBest(cell), size });
  const head = element(
    "th",
    { scope: "row" },
    page.machine.kernels[kernel] ? page.kernelLink(kernel, { size: "", view: "answer" }) : foreign(kernel),
    isNumber(size) ? element("small", {}, counted(size, unitOf(page.kernelNamed(kernel)))) : null,
    comparable.length && !hasRun ? element("small", {}, "no run") : null,
  );
  const cellNode = (cell, place) =>
    isNumber(cell.seconds) ? number(page, kernel, matrix.columns[place], cell, shown(cell)) : empty(cell, reasons);
  return element("tr", {}, head, cells.map(cellNode));
}

/** ratio: to the row's fastest; null if the cell can't be compared with the others. size: of the others. */
function number(page, kernel, backend, cell, { ratio, isBest, size }) {
  const shown = { figure: { value: cell.seconds, unit: "seconds", settled: cell.settled }, backend };
  const text = [seconds(cell.seconds), cell.settled === false ? "*" : ""];
  const node = element(
    "td",
    { class: ["number", isBest && "best", cell.interpreted && "interpreted"] },
    page.button(figureName("matrix", kernel, backend), shown, text),
    cell.interpreted ? unseen(" interpreted") : null,
    ratio === null && !(cell.interpreted && cell.size === size)
      ? element("small", {}, cell.size === size ? "other run" : `at ${whole(cell.size)}`)
      : null,
  );
  const depth = ratio === null ? 0 : DEPTHS[LIMITS.filter((limit) => ratio < limit).length];
  node.style.setProperty("--depth", depth);
  return node;
}

function empty(cell, reasons) {
  const reason = cell.reason || "Not measured on this machine.";
  const known = reasons.get(reason) ?? { letter: letters(reasons.size), count: 0 };
  known.count += 1;
  reasons.set(reason, known);
  const letter = element("abbr", { title: visible(reason) }, known.letter, unseen(`: ${visible(reason)}`));
  return element("td", { class: "empty" }, letter);
}

/** The facts of a cell's number; undefined if there is none. `data`: the file of the cell's kernel. */
export function matrixFigure(page, matrix, data, kernel, backend) {
  const cell = matrix.cells[matrix.rows.indexOf(kernel)]?.[matrix.columns.indexOf(backend)];
  if (cell?.in_run) {
    const ranking = data.rankings.find(({ size }) => size === cell.size);
    return page.runFacts(ranking, ranking.entries.find((entry) => entry.backend === backend), kernel);
  }
  const row = cell && data.rows.find((row) => row.backend === backend && row.size === cell.size);
  return row?.figures.warm_seconds && page.figureFacts(row, "warm_seconds", data, kernel);
}

/** The number that occurs most often, the largest of several; undefined without a number. */
export function commonest(values) {
  const counts = new Map();
  for (const value of values.filter(isNumber)) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((one, other) => other[1] - one[1] || other[0] - one[0])[0]?.[0];
}

/** a, b, ... z, aa, ab, ... */
function letters(number) {
  return (number >= 26 ? letters(Math.floor(number / 26) - 1) : "") + String.fromCharCode(97 + (number % 26));
}
