// How far the chain of ratios is from duets of distant releases, and how far repeated duets are from each other.

import { element, visible } from "../parts/dom.js";
import { counted, day, digits, isNumber, whole } from "../parts/format.js";
import { numbers, table } from "../parts/tables.js";
import { caseColumns } from "../frame/steps.js";
import { logDistance } from "../frame/verdict.js";
import { percentApart } from "./ratios.js";

const AT_ONCE = 8; // rows, the farthest
const NONE = "These releases were not measured in turn, so there is no chain.";
const HOW =
  "Each release of the curve was measured in turn with the next older one of the curve. The curve is the product of these ratios (the " +
  "chain), so their errors could add up.";
const CHECKED = "To check it, releases further apart were also measured in turn.";
const UNCHECKED = "No releases further apart were measured in turn yet.";
const CHAIN = {
  id: "closure-table",
  all: "closure-all", // among the open details: all rows
  caption: "Ratios of the newer release to the older one: along the chain, and of a duet of both",
  known: "Chain",
  measured: "Duet",
};
const REPEATED = {
  id: "repeated-table",
  all: "repeated-all",
  caption: "Ratios of the newer release to the older one, of a duet and of the next duet of the same releases",
  known: "Next duet",
  measured: "Duet",
};

/** The nodes: what was compared, how far both are from each other, and the tables, the farthest first. */
export function closureView(page) {
  const { duets } = page.ladder;
  if (!duets) return [element("p", {}, NONE)];
  const how = `${HOW} Each interval has ${percentApart(duets.between_days)} for what differs between days.`;
  const nodes = [element("p", {}, how), element("p", {}, reading(page, duets)), ...tableNodes(page, CHAIN, duets.closures)];
  if (!duets.repeated.length) return nodes;
  return [...nodes, element("p", {}, again(duets.repeated)), ...tableNodes(page, REPEATED, duets.repeated)];
}

/** "The median difference between chain and direct duet is 1.2 %, the largest 4.5 % (the longest duet of each case)" */
export function closureWords(page, closures) {
  const lengths = new Map(closures.map((row) => [row, page.release(row.to).order - page.release(row.from).order]));
  const byCase = Map.groupBy(closures, ({ kernel, backend, size, figure }) => [kernel, backend, size, figure].join(" "));
  const longest = [...byCase.values()].map((rows) => rows.reduce((one, row) => (lengths.get(row) > lengths.get(one) ? row : one)));
  const distances = farthestFirst(longest).map((row) => logDistance(row.difference));
  const [low, high] = [Math.floor, Math.ceil].map((round) => distances[round((distances.length - 1) / 2)]);
  const [middle, most] = [(low + high) / 2, distances[0]].map((distance) => percentApart(Math.exp(distance)));
  return `The median difference between chain and direct duet is ${middle}, the largest ${most} (the longest duet of each case)`;
}

/** The rows with how far both ratios are from each other, as a factor. */
function farthestFirst(closures) {
  const rows = closures.map((row) => ({ ...row, difference: row.chain / row.measured }));
  return rows.sort((one, other) => logDistance(other.difference) - logDistance(one.difference));
}

function reading(page, { closures, control_low: low, control_high: high }) {
  const long = closures.length ? `${CHECKED} ${closureWords(page, closures)}. ${agreeing(closures)}` : UNCHECKED;
  if (!isNumber(low)) return long;
  return `${long} C, which no release changes, had ratios from ${digits(low)} to ${digits(high)}.`;
}

/** How often two duets of the same releases gave the same ratio. */
function again(rows) {
  const days = [...new Set(rows.map(({ at }) => day(at)))].sort();
  const were = rows.length === 1 ? "was" : "were";
  return (
    `${counted(rows.length, "ratios")} of ${days.join(", ")} ${were} measured again later. Duets by the newest commit’s benchmarks ` +
    `count, all their pairs of processes together. ${agreeing(rows)}`
  );
}

function agreeing(rows) {
  const agreed = `${whole(rows.filter((row) => row.agrees).length)} of ${counted(rows.length, "cases")}`;
  return `In ${agreed} both agree: the interval of their quotient contains 1.`;
}

function tableNodes(page, kind, closures) {
  if (!closures.length) return [];
  const rows = farthestFirst(closures);
  const shown = page.isOpen(kind.all) ? rows : rows.slice(0, AT_ONCE);
  return [closureTable(page, kind, shown), shown.length < rows.length ? page.showAllButton(kind.all, rows.length) : null];
}

function closureTable(page, { id, caption, known, measured }, rows) {
  const ratio = (key, label, low, high) =>
    numbers(key, label, (value, row) => [digits(value), element("small", {}, `${digits(row[low])} to ${digits(row[high])}`)]);
  return table(page, {
    id,
    caption,
    columns: [
      ...caseColumns(page),
      {
        key: "ends",
        label: "Releases",
        sort: ({ to }) => page.release(to)?.order,
        cell: ({ from, to }) => `${visible(from)}, ${visible(to)}`,
      },
      ratio("chain", known, "chain_low", "chain_high"),
      ratio("measured", measured, "low", "high"),
      numbers("off", "Difference", (_, row) => percentApart(row.difference), { of: (row) => logDistance(row.difference) }),
    ],
    groups: [rows],
    mark: (row) => (row.agrees ? "unranked" : null),
  });
}
