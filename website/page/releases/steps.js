// The releases at which a figure changed.

import { element, foreign, unseen, visible } from "../parts/dom.js";
import { day } from "../parts/format.js";
import { stepsTable } from "../frame/steps.js";

const NONE = "No step was found: no figure changed by more than neighbouring releases usually differ.";

/** The nodes: the steps, newest release first, and notes on them. */
export function stepsView(page) {
  const { steps } = page.ladder;
  if (!steps.length) return [element("p", {}, NONE)];
  const caption = `Steps of ${page.compiler}, newest release first`;
  return [...stepsTable(page, steps, { caption, first: release(page), view: "releases" }), notes(steps)];
}

function notes(steps) {
  const note = (...text) => element("li", {}, ...text);
  return element(
    "ul",
    { class: "notes" },
    note("Values are levels: the figure over the releases before a step, and over those after it."),
    steps.some((step) => step.commits_differ)
      ? note(
          element("b", {}, "†"),
          " the two releases were measured by different commits of this library, which may have caused the step.",
        )
      : null,
  );
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
