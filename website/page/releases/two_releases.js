// "Compare two releases": every kernel's change between two releases that a reader chooses.

import { choice } from "../parts/choice.js";
import { element, sentence, visible } from "../parts/dom.js";
import { whole } from "../parts/format.js";
import { numbers, table } from "../parts/tables.js";
import { caseColumns } from "../frame/steps.js";
import { caseWords } from "../frame/cases.js";
import { changeWords, interval, isApart, isLarge, logDistance, slower } from "../frame/verdict.js";
import { ratioBetween } from "./ratios.js";

const NONE = "These releases were not measured in turn, so they can’t be compared. `make release-duets` measures them in turn.";

/** The nodes: the choice of two releases, a sentence, and the table, the largest change first. */
export function twoReleasesView(page) {
  if (!page.ladder.duets) return [element("p", {}, sentence(NONE))];
  const { from, to } = page.twoReleases;
  const { rows, missing } = changes(page, from.order, to.order);
  return [
    element("div", { class: "choices" }, select(page, "from", "From", from), select(page, "to", "To", to)),
    element("p", {}, reading(page, rows)),
    ...(rows.length ? [changesTable(page, rows), how(page)] : []),
    without(page, missing),
  ];
}

function select(page, id, label, chosen) {
  const options = page.releasesInDuets.map(({ release }) => [release, release]).reverse();
  return choice(id, label, options, chosen.release, (value) => page.state.change({ [id]: value }));
}

/** The rows of cases with a ratio, the largest change first, and the cases without one. */
function changes(page, from, to) {
  const { cases, between_days: days } = page.ladder.duets;
  const all = from === to ? [] : cases.map((one) => ({ ...one, change: ratioBetween(one.links, from, to, days) }));
  const rows = all.filter(({ change }) => change).map(({ change, ...one }) => ({ ...one, ...change }));
  rows.sort((one, other) => size(other) - size(one));
  return { rows, missing: all.filter(({ change }) => !change) };
}

/** How far a change's factor is from 1, as a logarithm. Changes that can't be told apart come last. */
function size(row) {
  const distance = logDistance(row.factor);
  return isApart(row) ? 1 + distance : distance / (1 + distance);
}

function reading(page, rows) {
  const [from, to] = [page.twoReleases.from.release, page.twoReleases.to.release].map(visible);
  if (!rows.length) return from === to ? "Choose two releases." : `No chain of duets connects ${from} and ${to}.`;
  const changed = rows.filter((row) => isApart(row) && isLarge(row));
  const span = `From ${page.compiler} ${from} to ${to}`;
  if (!changed.length) return `${span}, none of ${whole(rows.length)} times is known to have changed by 5\u00a0% or more.`;
  const worse = changed.filter(({ factor }) => factor > 1).length;
  const [most] = changed;
  const largest = `${visible(most.kernel)} on ${caseWords(page, most)}, ${slower(most.factor)}`;
  const counts = `${whole(worse)} became slower and ${whole(changed.length - worse)} faster`;
  const share = `${whole(changed.length)} of ${whole(rows.length)} times changed by 5\u00a0% or more`;
  return `${span}, ${share}: ${counts}. The largest change: ${largest}.`;
}

function changesTable(page, rows) {
  const [kernel, ...others] = caseColumns(page);
  return table(page, {
    id: "pins-table",
    caption: `${page.compiler}, from ${visible(page.twoReleases.from.release)} to ${visible(page.twoReleases.to.release)}`,
    columns: [
      kernel,
      { key: "factor", label: "Change", number: true, sort: ({ factor }) => factor, cell: change },
      ...others,
      numbers("duets", "Duets", whole),
    ],
    groups: [rows],
    mark: (row) => (isApart(row) ? null : "unranked"),
  });
}

/** What a row comes from, and the command that measures both releases in turn. */
function how(page) {
  const ends = [page.twoReleases.from, page.twoReleases.to].sort((one, other) => one.order - other.order);
  const only = ends.map(({ release }) => visible(release)).join(",");
  const command = `make release-duets COMPILER=${visible(page.ladder.compiler)} ONLY=${only}`;
  const words = "With one duet both releases were measured in turn. With more, the change is the product along the curve. Both directly: ";
  return element("p", {}, words, element("code", {}, command));
}

function change(row) {
  return [changeWords(row), element("small", {}, interval(row))];
}

function without(page, missing) {
  const names = missing.map((one) => `${visible(one.kernel)} on ${caseWords(page, one)}`);
  return names.length ? element("p", { class: "without" }, `Not connected by duets: ${names.join("; ")}.`) : null;
}
