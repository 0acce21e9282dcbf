// How far the chain of ratios is from the duets of distant releases.

import { element, visible } from "../parts/dom.js";
import { digits, whole } from "../parts/format.js";
import { table } from "../parts/tables.js";
import { caseColumns } from "../frame/steps.js";
import { distance } from "./ratios.js";

const ALL = "closure-all"; // among the open details: all rows
const AT_ONCE = 8; // rows, the farthest
const NONE = "These releases were not measured in turn, so there is no chain.";
const HOW =
  "Each release was measured in turn with the one before it, and the curve is the product of these ratios. Their errors " +
  "could add up, so the oldest release was also measured in turn with one in the middle and one at the end.";

/** The nodes: what was compared, how far both are from each other, and the table, the farthest first. */
export function closureView(page) {
  const { duets } = page.ladder;
  if (!duets) return [element("p", {}, NONE)];
  const rows = duets.closures.map((one) => ({ ...one, off: one.chain / one.measured }));
  rows.sort((one, other) => far(other) - far(one));
  const shown = page.state.now.open.includes(ALL) ? rows : rows.slice(0, AT_ONCE);
  return [
    element("p", {}, HOW),
    element("p", {}, reading(duets, rows)),
    rows.length ? closureTable(page, shown) : null,
    shown.length < rows.length ? page.showAllButton(ALL, rows.length) : null,
  ];
}

/** "The chain is 1.2 % off in the middle case, and 4.5 % at most" */
export function off(closures) {
  if (!closures.length) return "";
  const rows = closures.map(({ chain, measured }) => ({ off: chain / measured }));
  rows.sort((one, other) => far(one) - far(other));
  const [middle, most] = [rows[Math.floor(rows.length / 2)], rows.at(-1)].map(({ off }) => distance(off));
  return `The chain is ${middle} off in the middle case, and ${most} at most`;
}

function far({ off }) {
  return Math.abs(Math.log(off));
}

function reading({ closures, control_low: low, control_high: high }, rows) {
  const meet = rows.filter(meets).length;
  const both = `the intervals of ${whole(meet)} of ${whole(rows.length)} meet`;
  const long = rows.length ? `${off(closures)}; ${both}.` : "No two distant releases were measured in turn yet.";
  const control = `C, which no release changes, had ratios from ${digits(low)} to ${digits(high)}.`;
  return typeof low === "number" ? `${long} ${control}` : long;
}

function meets(row) {
  return row.chain_low <= row.high && row.low <= row.chain_high;
}

function closureTable(page, rows) {
  const ratio = (key, label, low, high) => ({
    key,
    label,
    number: true,
    sort: (row) => row[key],
    cell: (row) => [digits(row[key]), element("small", {}, `${digits(row[low])} to ${digits(row[high])}`)],
  });
  return table({
    id: "closure-table",
    caption: "Ratios of the newer release to the older one: along the chain, and of a duet of both",
    columns: [
      ...caseColumns(page, "releases"),
      {
        key: "ends",
        label: "Releases",
        sort: ({ to }) => page.release(to)?.order,
        cell: ({ from, to }) => `${visible(from)}, ${visible(to)}`,
      },
      ratio("chain", "Chain", "chain_low", "chain_high"),
      ratio("measured", "Duet", "low", "high"),
      { key: "off", label: "Off by", number: true, sort: far, cell: (row) => distance(row.off) },
    ],
    groups: [rows],
    sort: page.sortOf("closure-table"),
    onsort: (sort) => page.sortBy("closure-table", sort),
    mark: (row) => (meets(row) ? "unranked" : null),
  });
}
