// Every release: when it was measured, the machine's drift, what could not be measured, and why.

import { element, visible } from "../parts/dom.js";
import { day, digits, isNumber, whole } from "../parts/format.js";
import { reasonsList } from "../frame/reasons.js";
import { numbers, table, withValues } from "../parts/tables.js";
import { caseWords } from "../frame/cases.js";

const UNMEASURED = "not measured on this machine";
const UNKNOWN = "no reason was recorded";
const FROM_CACHE =
  "The answer was wrong or missing with a program that another process had stored in the compiler’s own cache";
export const WITHOUT_CACHE =
  "Measured without the compiler’s disk cache: with it, this release or the one it was compared with failed";

/** The nodes: this kernel's cases without a number, by the reason, and the table of releases. */
export function missingView(page) {
  return [gaps(page), table(page, releases(page))];
}

function gaps(page) {
  const all = [];
  const add = (reason, what, place) => all.push({ reason: reason || UNKNOWN, what, place });
  const { releases, versions } = page.ladder;
  for (const version of versions) if (!page.release(version)) add(UNMEASURED, "the whole release", version);
  for (const { release, reason } of releases.filter(({ status }) => status !== "ok"))
    add(reason, "the whole release", release);
  for (const one of page.data.series)
    for (const { release, reason } of one.missing)
      if (page.release(release)?.status === "ok") add(reason, caseWords(page, one), release);
  for (const one of page.data.series)
    for (const { release } of one.points.filter(({ afresh }) => afresh)) add(WITHOUT_CACHE, caseWords(page, one), release);
  for (const { release, cells } of releases)
    if (cells?.afresh) add(FROM_CACHE, `${whole(cells.afresh)} cases of all kernels, measured without the cache`, release);
  return all.length ? reasonsList(all) : element("p", {}, `No number of ${page.kernelName} is missing.`);
}

function releases(page) {
  const countColumn = (name, label) => numbers(name, label, whole, { of: ({ cells }) => cells?.[name] });
  const hasDrift = page.ladder.releases.some(({ drift, c }) => [drift.warm, drift.cold, c].some(isNumber));
  const ratioColumn = (key, label, of) => numbers(key, label, (ratio) => digits(ratio, 4), { of });
  return {
    id: "releases-table",
    caption: `Releases of ${page.compiler}${hasDrift ? ", and the machine’s drift: seconds over their median" : ""}`,
    columns: withValues(page.ladder.releases, [ // duets have no counts of cases and no drift
      { key: "release", label: "Release", head: true, sort: (outcome) => outcome.order, cell: (outcome) => page.releaseButton(outcome) },
      { key: "published", label: "Published", sort: (outcome) => outcome.published, cell: (outcome) => visible(day(outcome.published)) },
      { key: "measured", label: "Measured", sort: (outcome) => outcome.measured, cell: (outcome) => visible(day(outcome.measured)) },
      countColumn("measured", "Cases"),
      countColumn("empty", "Empty"),
      countColumn("failed", "Failed"),
      countColumn("afresh", "Without cache"),
      ratioColumn("warm", "Drift, warm", (outcome) => outcome.drift.warm),
      ratioColumn("cold", "Drift, cold", (outcome) => outcome.drift.cold),
      ratioColumn("c", "Drift, C", (outcome) => outcome.c),
    ]),
    groups: [page.ladder.releases],
    mark: (outcome) => (outcome.status === "ok" ? null : "unranked"),
  };
}
