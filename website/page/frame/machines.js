// The table of one commit or release by case and machine.

import { choice } from "../parts/choice.js";
import { element, foreign, sentence, visible } from "../parts/dom.js";
import { numbers, table } from "../parts/tables.js";
import { changeWords, interval, isApart, isLarge } from "./verdict.js";

/**
 * The nodes: the choice of a commit or release, a sentence, and its ratios by case and machine.
 *
 * tables: newest first; end: {label: "Commit", key(to): its name in the address, words(to): in the choice}; none: the
 * sentence if there are no tables; cases: the columns that name a case.
 */
export function machinesView(page, tables, { end, none, cases }) {
  if (!tables.length) return [element("p", {}, sentence(none))];
  const shown = tables.find(({ to }) => end.key(to) === page.state.now.at) ?? tables[0];
  const options = tables.map(({ to }) => [end.key(to), end.words(to)]);
  const change = (value) => page.state.change({ at: value });
  const what = end.label.toLowerCase();
  return [
    element("div", { class: "choices" }, choice("at", end.label, options, end.key(shown.to), change)),
    element(
      "p",
      {},
      `The list has the newest ${what}s with a step on some machine. Each machine compares the ${what} with the nearest ` +
        `older one that it measured, in its own duets. “Can’t tell”: no change and a change of 5\u00a0% are both possible.`,
    ),
    tableOf(page, shown, end, cases),
  ];
}

/** The table; the page's own machine comes first, and a machine without any ratio is named below. */
function tableOf(page, { to, machines, rows }, end, cases) {
  const isOwn = (place) => machines[place] === page.machine.id;
  const places = machines.map((_, place) => place).sort((one, other) => isOwn(other) - isOwn(one));
  const known = places.filter((place) => rows.some(({ cells }) => cells[place].factor));
  const without = places.filter((place) => !known.includes(place)).map((place) => page.machineName(machines[place]));
  const words = `No ratio of this ${end.label.toLowerCase()} on ${without.join(", ")}.`;
  return [
    table(page, {
      id: "machines-table",
      caption: `${end.label} ${end.key(to)} by case and machine, the largest change first`,
      columns: [...cases, ...known.map((place) => column(page, machines[place], place, rows))],
      groups: [rows],
      mark: ({ cells }) => (cells.some((cell) => cell.factor && isApart(cell) && isLarge(cell)) ? null : "unranked"),
    }),
    without.length ? element("p", { class: "without" }, words) : null,
  ];
}

/** A machine's column. Its heading has the older commit or release, unless the cells have different ones. */
function column(page, machine, place, rows) {
  const cell = ({ cells }) => cells[place];
  const older = new Set(rows.map((row) => cell(row).from).filter(Boolean));
  return numbers(machine, page.machineName(machine), (_, row) => ratio(cell(row), older.size > 1), {
    of: (row) => cell(row).factor,
    none: (row) => element("span", { class: "none" }, foreign(cell(row))),
    unit: older.size === 1 ? since([...older][0]) : null,
  });
}

function ratio(span, hasFrom) {
  return [changeWords(span), element("small", {}, interval(span)), hasFrom && element("small", {}, since(span.from))];
}

function since(older) {
  return `since ${visible(older)}`;
}
