// What several machines say about a step, and the table of one commit or release by case and machine.

import { choice } from "../parts/choice.js";
import { element, foreign, list, sentence, unseen, visible } from "../parts/dom.js";
import { whole } from "../parts/format.js";
import { table } from "../parts/tables.js";
import { interval, isApart, isLarge, LARGE, verdict } from "./verdict.js";

const WORDS = { seen: "seen", absent: "not seen", unclear: "can’t tell", unmeasured: "not measured" };
const SMALL = { absent: "not on", unclear: "can’t tell on" }; // the words below the count
const COUNT =
  "“Seen on”: how many machines saw the step, of those whose duets cover it. A machine saw the step if its own direct duet " +
  "confirms one in the same direction, over an overlapping span.";
const OTHERS =
  "“Not on”: the machine measured a span around the step, and its interval excludes a step of 5\u00a0% in that direction. " +
  "“Can’t tell”: the interval is too wide, or the span is longer and a change in the other direction could hide the step.";

/** The column of steps: how many machines saw each; none if no step has several machines. machinesOf(step): its machines. */
export function seenColumns(page, steps, machinesOf) {
  if (!steps.some((step) => machinesOf(step).length > 1)) return [];
  const count = (step) => {
    const could = machinesOf(step).filter(({ answer }) => answer !== "unmeasured");
    return { seen: could.filter(({ answer }) => answer === "seen").length, could };
  };
  const others = ({ could }, answer) => {
    const names = could.filter((one) => one.answer === answer).map(({ machine }) => page.machineName(machine));
    return names.length ? element("small", {}, `${SMALL[answer]} `, foreign(names.join(", "))) : null;
  };
  return [
    {
      key: "seen",
      label: "Seen on",
      class: "seen",
      sort: (step) => (machinesOf(step).length ? count(step).seen / count(step).could.length : null),
      cell: (step) => {
        const counted = count(step);
        if (!machinesOf(step).length) return null;
        const words = `${whole(counted.seen)} of ${whole(counted.could.length)}`;
        return [words, unseen(" machines"), ...Object.keys(SMALL).map((answer) => others(counted, answer))];
      },
    },
  ];
}

/** The notes on that column; what: what no other machine has, if there is no column. */
export function seenNotes(steps, machinesOf, what) {
  const known = steps.filter((step) => machinesOf(step).length);
  if (!known.length) return [];
  if (known.every((step) => machinesOf(step).length === 1)) return [`No other machine has ${what}, so these steps can’t be confirmed elsewhere.`];
  return [COUNT, OTHERS];
}

/** Each machine's answer to a step and its own ratio, as a list; null for a single machine. */
export function seenList(page, machines) {
  if (machines.length < 2) return null;
  const words = ({ answer, measured }) => {
    if (!measured) return WORDS[answer];
    const ends = `${visible(measured.from)} to ${visible(measured.to)}`;
    return [`${WORDS[answer]}, `, changeWords(measured), ` (${interval(measured)}) from ${ends}`];
  };
  return list("plain", machines.map((one) => [foreign(page.machineName(one.machine)), ": ", words(one)]));
}

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
  const places = machines.map((_, place) => place).sort((one, other) => isOwn(page, machines[other]) - isOwn(page, machines[one]));
  const known = places.filter((place) => rows.some(({ cells }) => cells[place].factor));
  const without = places.filter((place) => !known.includes(place)).map((place) => page.machineName(machines[place]));
  const columns = known.map((place) => column(page, machines[place], place, rows));
  return [
    tableNode(page, `${end.label} ${end.key(to)}`, rows, [...cases, ...columns]),
    without.length
      ? element("p", { class: "without" }, `No ratio of this ${end.label.toLowerCase()} on ${without.join(", ")}.`)
      : null,
  ];
}

function isOwn(page, machine) {
  return machine === page.machine.id;
}

function tableNode(page, what, rows, columns) {
  return table(page, {
    id: "machines-table",
    caption: `${what} by case and machine, the largest change first`,
    columns,
    groups: [rows],
    mark: ({ cells }) => (cells.some((cell) => cell.factor && isApart(cell) && isLarge(cell)) ? null : "unranked"),
  });
}

/** A machine's column. Its heading has the older commit or release, unless the cells have different ones. */
function column(page, machine, place, rows) {
  const cell = ({ cells }) => cells[place];
  const older = new Set(rows.map((row) => cell(row).from).filter(Boolean));
  return {
    key: machine,
    label: page.machineName(machine),
    unit: older.size === 1 ? since([...older][0]) : null,
    number: true,
    sort: (row) => cell(row).factor,
    cell: (row) => (cell(row).factor ? ratio(cell(row), older.size > 1) : element("span", { class: "none" }, foreign(cell(row)))),
  };
}

function ratio(span, hasFrom) {
  return [
    changeWords(span),
    element("small", {}, interval(span)),
    hasFrom ? element("small", {}, since(span.from)) : null,
  ];
}

function since(older) {
  return `since ${visible(older)}`;
}

/** A change in words. An interval that holds 1 and a change of 5 % is no proof that nothing changed. */
export function changeWords(span) {
  const { factor, low, high } = span;
  const change = verdict({ ...span, before: 1, after: factor, unit: "seconds", direction: "lower" });
  if (isApart(span)) return isLarge(span) ? change : change.textContent;
  return low > 1 / LARGE && high < LARGE ? "no difference" : "can’t tell";
}
