// The commits, and the compilers' releases, at which a figure changed.

import { element, foreign, visible } from "../parts/dom.js";
import { day, whole } from "../parts/format.js";
import { seenColumns, seenNotes } from "../frame/seen.js";
import { stepsTable } from "../frame/steps.js";

const NONE = "No step so far: no direct duet of two commits confirmed one, and no exact figure changed.";
const RULE =
  "A step between commits is listed if a direct duet of both confirmed it (its interval is below the factor), or if an exact " +
  "figure changed. Steps between releases are those of the compilers installed on this machine.";

const MEDIANS =
  "Of a step in time, “Before” and “After” are the medians of each side’s processes, and the change is the " +
  "ratio of pairs of processes, so it can differ from the ratio of the two medians.";

/** The nodes: the steps, newest first, and how they are chosen. */
export function stepsView(page) {
  const { steps, left_out: left } = page.steps;
  return stepsTable(page, steps, {
    none: NONE,
    caption: "Steps, newest first",
    first: endColumn(page),
    last: seenColumns(page, steps),
    notes: [
      RULE,
      steps.some(({ low }) => low !== null) && MEDIANS,
      ...seenNotes(steps, "duets of commits"),
      left && `${whole(left)} older steps of counts and errors are left out.`,
    ],
  });
}

function endColumn(page) {
  return {
    key: "date",
    label: "Commit or release",
    head: true,
    sort: (step) => step.to.date,
    cell: ({ kind, kernel, to }) => [
      kind === "release" ? releaseLink(page, kernel, to) : page.commit(to),
      element("small", { class: "wraps" }, visible(day(to.date)), to.subject ? [" ", foreign(to.subject)] : null),
    ],
  };
}

/** A release with a link to its page. */
function releaseLink(page, kernel, { compiler, release }) {
  const href = page.addressOf("releases.html", { compiler, kernel, machine: page.machine.id });
  return element("a", { href }, foreign(`${compiler} ${release}`));
}
