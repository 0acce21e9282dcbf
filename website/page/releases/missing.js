// Every release: when it was measured, what the machine did meanwhile, and what could not be measured, and why.

import { element, foreign, visible } from "../parts/dom.js";
import { day, digits, whole } from "../parts/format.js";
import { figureWords } from "./page.js";
import { table } from "../parts/tables.js";

const FROM_CACHE =
  "With a program that another process had left in the compiler's own cache, the answer was wrong or there was none";

/** The nodes: this kernel's cells without a number, by the reason, and the table of releases. */
export function missingView(page) {
  return [gaps(page), table(releases(page))];
}

function gaps(page) {
  const found = new Map();
  for (const { release, reason } of page.ladder.releases.filter(({ status }) => status !== "ok"))
    add(found, reason || "no reason was recorded", "the whole release", release);
  for (const one of page.data.series) {
    const size = typeof one.size === "number" ? ` at ${whole(one.size)} ${page.unit}` : "";
    const what = `${visible(one.backend)}, ${figureWords(one.figure)}${size}`;
    for (const { release, reason } of one.missing)
      if (page.release(release)?.status === "ok") add(found, reason || "no reason was recorded", what, release);
  }
  for (const { release, cells } of page.ladder.releases)
    if (cells?.afresh) add(found, FROM_CACHE, `measured without, ${whole(cells.afresh)} cells of all kernels`, release);
  if (!found.size) return element("p", {}, `Every release ran, and has every number of ${page.kernelName}.`);
  return element(
    "dl",
    { class: "without" },
    [...found].map(([reason, what]) => [
      element("dt", {}, foreign(reason)),
      [...what].map(([name, releases]) => element("dd", {}, `${name}: `, foreign(releases.join(", ")))),
    ]),
  );
}

function add(found, reason, what, release) {
  const named = found.get(reason) ?? new Map();
  found.set(reason, named);
  named.set(what, [...(named.get(what) ?? []), release]);
}

function releases(page) {
  const ratio = (value) => (typeof value === "number" ? digits(value, 4) : "");
  const count = (name) => (told) => told.cells?.[name];
  const counted = (name, label) => ({
    key: name,
    label,
    number: true,
    sort: count(name),
    cell: (told) => (told.cells ? whole(count(name)(told)) : ""),
  });
  const moved = (key, label, of) => ({ key, label, number: true, sort: of, cell: (told) => ratio(of(told)) });
  return {
    id: "releases-table",
    caption: `Releases of ${page.compiler}, and what the machine did meanwhile: seconds over their median`,
    columns: [
      { key: "release", label: "Release", head: true, sort: (told) => told.order, cell: (told) => page.releaseButton(told) },
      { key: "published", label: "Published", sort: (told) => told.published, cell: (told) => visible(day(told.published)) },
      { key: "measured", label: "Measured", sort: (told) => told.measured, cell: (told) => visible(day(told.measured)) },
      counted("measured", "Cells"),
      counted("empty", "Empty"),
      counted("failed", "Failed"),
      counted("afresh", "Without cache"),
      moved("warm", "Reference, warm", (told) => told.drift?.warm),
      moved("cold", "Reference, cold", (told) => told.drift?.cold),
      moved("c", "C", (told) => told.c),
    ],
    groups: [page.ladder.releases],
    sort: page.sortOf("releases-table"),
    onsort: (sort) => page.sortBy("releases-table", sort),
    mark: (told) => (told.status === "ok" ? null : "unranked"),
  };
}
