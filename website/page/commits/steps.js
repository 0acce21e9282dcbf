// The commits, and the compilers' releases, at which a figure changed.

import { element, foreign, visible } from "../parts/dom.js";
import { day, whole } from "../parts/format.js";
import { stepsTable } from "../frame/steps.js";

const NONE = "No step so far: no direct duet of two commits confirmed one, and no exact figure changed.";
const RULE =
  "A step between commits is listed where a direct duet of both, with the interval beside its factor, confirms it, and " +
  "wherever an exact figure changed. Steps between releases are those of the compilers that are installed here.";

/** The nodes: the steps, newest first, and how they are chosen. */
export function stepsView(page) {
  const { steps, left_out: left } = page.steps;
  if (!steps.length) return [element("p", {}, NONE)];
  const change = (step, words) => page.stepButton(step, words);
  return [
    ...stepsTable(page, steps, { caption: "Steps, newest first", first: end(page), view: "commits", change }),
    element(
      "ul",
      { class: "notes" },
      element("li", {}, RULE),
      left ? element("li", {}, `${whole(left)} older steps are left out.`) : null,
    ),
  ];
}

function end(page) {
  return {
    key: "date",
    label: "Commit, or release",
    head: true,
    sort: (step) => step.to.date,
    cell: ({ kind, kernel, to }) => [
      kind === "release"
        ? element("a", { href: page.releaseAddress(to.compiler, kernel) }, foreign(`${to.compiler} ${to.release}`))
        : page.commit(to),
      element("small", { class: "wraps" }, visible(day(to.date)), to.subject ? [" ", foreign(to.subject)] : null),
    ],
  };
}
