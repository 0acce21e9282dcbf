// The releases at which a figure changed.

import { element, foreign, unseen, visible } from "../parts/dom.js";
import { day } from "../parts/format.js";
import { seenColumns, seenNotes } from "../frame/seen.js";
import { stepsTable } from "../frame/steps.js";
import { carriedBy, codeWords, partsCommand } from "./explanations.js";

const NONE = "No step was found: no figure changed by more than neighbouring releases usually differ.";
const ENOUGH = 4; // releases, as in website/releases/steps.py
const FEW = "Times of fewer than four releases can’t tell a step from noise, so no time has a step here.";
const LEVELS = "Before and after are levels: the figure over the releases before a step, and over those after it.";
const DUETS =
  "A step is a change between two neighbouring releases. In their duet the interval (below the factor) does not contain 1. " +
  "Select a change to see what is known of it. The command repeats the duet.";
const DIFFERS =
  " the two releases were measured by different commits of this library, which may have caused the step.";

const RELEASE = {
  key: "release",
  label: "Release",
  head: true,
  sort: ({ order }) => order,
  cell: (step) => [
    foreign(step.to),
    step.commits_differ ? element("b", {}, "†", unseen(" measured by another commit of this library")) : null,
    element("small", {}, visible(day(step.published))),
  ],
};

/** True if the ladder has too few releases for steps in times that were not measured in turn. */
export function isShort({ ladder }) {
  return !ladder.duets && ladder.releases.filter(({ status }) => status === "ok").length < ENOUGH;
}

/** The nodes: the steps, newest release first, and notes on them. */
export function stepsView(page) {
  const { steps } = page.ladder;
  return stepsTable(page, steps, {
    none: isShort(page) ? FEW : NONE,
    caption: `Steps of ${page.compiler}, newest release first`,
    first: RELEASE,
    last: [...seenColumns(page, steps), ...(steps.some(({ duet }) => duet) ? [explanationColumn(page)] : [])],
    notes: [
      isShort(page) && FEW,
      steps.some(({ duet }) => duet) && DUETS,
      steps.some(({ duet, exact }) => !duet && !exact) && LEVELS,
      ...seenNotes(steps, `duets of ${page.compiler}`),
      steps.some((step) => step.commits_differ) && [element("b", {}, "†"), DIFFERS],
    ],
  });
}

/** The part that carries a step, how machine code changed, the command that repeats its duet, and the button of its issue. */
function explanationColumn(page) {
  const words = (step) => carriedBy(page, step) || (partsCommand(page, step) && "not examined yet");
  const code = ({ duet: { artifacts } }) => codeWords(artifacts) && element("small", {}, codeWords(artifacts));
  const command = ({ duet }) =>
    element("details", {}, element("summary", {}, "Command"), element("small", {}, element("code", {}, visible(duet.command))));
  return {
    key: "part",
    label: "Explained by",
    class: "beside",
    sort: words,
    cell: (step) => (step.duet ? [element("span", {}, words(step)), code(step), command(step), page.issueButton(step)] : null),
  };
}
