// The releases at which a figure changed.

import { element, foreign, sentence, unseen, visible } from "../parts/dom.js";
import { day, whole } from "../parts/format.js";
import { seenColumns, seenNotes } from "../frame/seen.js";
import { stepsTable } from "../frame/steps.js";
import { carriedBy, causeNodes, codeWords, COLD, leftToTry, remarks } from "./explanations.js";

const NONE = "No step was found: no duet of neighbouring releases showed one, and no count or error changed.";
const SECONDS =
  "Seconds measured at different hours are not compared, so no time has a step here. `make release-duets` measures releases in turn.";
const DUETS =
  "A step is a change between two releases that were measured in turn. The interval (below the factor) does not contain 1. " +
  "“Before” and “After” are medians of the last duet. The change is the ratio of the pairs of all its repetitions, so it can " +
  "differ from theirs, even in direction. " +
  "Select a change to see what is known of it. The command repeats the duet.";
const PARTS =
  "Explained by: the package, file or setting that makes the change alone, exchanged in the older release’s environment. " +
  "Could not be swapped alone: the packages of the two releases do not fit together; select the change for the reason.";
const SKIPPED = "Skipped: releases between the two of a step without a number. Each of them may have caused the step.";
const DIFFERS =
  " the two releases were measured by different commits of this library, which may have caused the step.";

/** The releases between the two of a step, which have no number. */
export function skipped({ ladder: { versions } }, { from, to }) {
  return versions.slice(versions.indexOf(from) + 1, versions.indexOf(to));
}

/** "with 0.68.1"; "from 0.66.0 to 0.68.1" if releases between them were skipped. name: what stands before the release. */
export function atWords(page, step, name = "") {
  const [from, to] = [step.from, step.to].map(visible);
  return skipped(page, step).length ? `from ${name}${from} to ${to}` : `with ${name}${to}`;
}

function releaseColumn(page) {
  const left = (step) => skipped(page, step).length;
  return {
    key: "release",
    label: "Release",
    head: true,
    sort: ({ order }) => order,
    cell: (step) => [
      foreign(step.to),
      step.commits_differ ? element("b", {}, "†", unseen(" measured by another commit of this library")) : null,
      element("small", {}, visible(day(step.published))),
      left(step) ? element("small", {}, `${whole(left(step))} skipped`) : null,
    ],
  };
}

/** The nodes: the steps, newest release first, and notes on them. */
export function stepsView(page) {
  const { steps } = page.ladder;
  return stepsTable(page, steps, {
    none: page.ladder.duets ? NONE : sentence(SECONDS),
    caption: `Steps of ${page.compiler}, newest release first`,
    first: releaseColumn(page),
    last: [...seenColumns(page, steps), ...(steps.some(({ duet }) => duet) ? [explanationColumn(page)] : [])],
    notes: [
      !page.ladder.duets && sentence(SECONDS),
      ...(steps.some(({ duet }) => duet) ? [DUETS, PARTS] : []),
      steps.some(({ duet }) => duet?.cold) && COLD,
      steps.some((step) => skipped(page, step).length) && SKIPPED,
      ...seenNotes(steps, `duets of ${page.compiler}`),
      steps.some((step) => step.commits_differ) && [element("b", {}, "†"), DIFFERS],
    ],
  });
}

/** The part that carries a step, how machine code changed, the command that repeats its duet, and the button of its issue. */
function explanationColumn(page) {
  const words = (step) => [carriedBy(page, step), leftToTry(page, step)?.words].filter(Boolean).join("; ");
  const causes = (step) => causeNodes(step).map((nodes) => element("small", {}, nodes));
  const code = ({ duet: { artifacts } }) => codeWords(artifacts) && element("small", {}, codeWords(artifacts));
  const notes = ({ duet }) => remarks(duet, "cold caches").map((words) => element("small", {}, words));
  const command = ({ duet }) =>
    element("details", {}, element("summary", {}, "Command"), element("small", {}, element("code", {}, visible(duet.command))));
  return {
    key: "part",
    label: "Explained by",
    class: "beside",
    sort: words,
    cell: (step) =>
      step.duet
        ? [element("span", {}, words(step)), ...causes(step), code(step), ...notes(step), command(step), page.issueButton(step)]
        : null,
  };
}
