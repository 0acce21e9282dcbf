// The releases at which a figure changed.

import { element, foreign, unseen, visible } from "../parts/dom.js";
import { day } from "../parts/format.js";
import { stepsTable } from "../frame/steps.js";

const NONE = "No step was found: no figure changed by more than neighbouring releases usually differ.";
const LEVELS = "Values are levels: the figure over the releases before a step, and over those after it.";
const DIFFERS =
  " the two releases were measured by different commits of this library, which may have caused the step.";

/** The nodes: the steps, newest release first, and notes on them. */
export function stepsView(page) {
  const { steps } = page.ladder;
  return stepsTable(page, steps, {
    none: NONE,
    caption: `Steps of ${page.compiler}, newest release first`,
    first: release(page),
    view: "releases",
    notes: [LEVELS, steps.some((step) => step.commits_differ) && [element("b", {}, "†"), DIFFERS]],
  });
}

function release(page) {
  return {
    key: "release",
    label: "Release",
    head: true,
    sort: (step) => step.order ?? page.release(step.to)?.order,
    cell: (step) => [
      foreign(step.to),
      step.commits_differ ? element("b", {}, "†", unseen(" measured by another commit of this library")) : null,
      element("small", {}, visible(day(step.published))),
    ],
  };
}
