// The table of steps: the releases at which a figure changed.

import { element, foreign, unseen, visible } from "../parts/dom.js";
import { day, digits, quantity, whole } from "../parts/format.js";
import { figureWords } from "./page.js";
import { isLarge } from "./sentence.js";
import { table } from "../parts/tables.js";
import { verdict } from "../frame/verdict.js";

export const ALL = "steps-all"; // among the open details: all steps
const NONE = "No step was found: no figure changed by more than neighbouring releases usually differ.";
const AT_ONCE = 8; // steps of a kind; the rest opens with a button
const INSIDE = ["counts", "stages"]; // groups that explain a step in time or in an answer; shown with all steps

/** The nodes: this kernel's steps, then those of the others; the newest release first. */
export function stepsView(page) {
  const { steps } = page.ladder;
  if (!steps.length) return [element("p", {}, NONE)];
  const all = page.state.now.open.includes(ALL);
  const groups = [true, false].map((own) => steps.filter(({ kernel }) => own === (kernel === page.kernel.name)));
  const shown = all ? groups : groups.map(foremost);
  const left = groups.flat().length - shown.flat().length;
  return [
    table({
      id: "steps",
      caption: `Steps of ${page.compiler}, newest release first: those of ${page.kernelName}, then of the other kernels`,
      columns: columns(page),
      groups: shown,
      sort: page.sortOf("steps"),
      onsort: (sort) => page.sortBy("steps", sort),
      mark: (step) => (isLarge(step) ? null : "small"),
    }),
    left
      ? element(
          "button",
          { type: "button", click: () => page.state.change({ open: [...page.state.now.open, ALL] }) },
          `Show all ${whole(steps.length)}`,
        )
      : null,
    notes(steps),
  ];
}

/** The newest steps in times and answers; steps in counts and stages only where there are no others. */
function foremost(steps) {
  const seen = steps.filter(({ group }) => !INSIDE.includes(group));
  return (seen.length ? seen : steps).slice(0, AT_ONCE);
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

function columns(page) {
  return [
    {
      key: "release",
      label: "Release",
      head: true,
      sort: (step) => step.order ?? page.release(step.to)?.order,
      cell: (step) => [
        foreign(step.to),
        step.commits_differ ? element("b", {}, "†", unseen(" measured by another commit of this library")) : null,
        element("small", {}, visible(day(step.published))),
      ],
    },
    {
      key: "factor",
      label: "Change",
      number: true,
      sort: (step) => step.factor,
      cell: (step) => [verdict(step), interval(step)],
    },
    {
      key: "kernel",
      label: "Kernel",
      sort: (step) => step.kernel,
      cell: (step) =>
        element(
          "a",
          {
            href: page.state.address({ kernel: step.kernel, view: "releases", figure: "" }),
            "data-kernel": step.kernel,
          },
          foreign(step.kernel),
        ),
    },
    {
      key: "backend",
      label: "Backend",
      class: "backend",
      sort: (step) => step.backend,
      cell: (step) => page.named(step.backend),
    },
    {
      key: "figure",
      label: "Figure",
      sort: (step) => step.figure,
      cell: (step) => figure(page, step),
    },
    {
      key: "before",
      label: "Before",
      number: true,
      sort: (step) => step.before,
      cell: (step) => [quantity(step.before, step.unit), element("small", {}, foreign(step.from))],
    },
    {
      key: "after",
      label: "After",
      number: true,
      sort: (step) => step.after,
      cell: (step) => [quantity(step.after, step.unit), element("small", {}, foreign(step.to))],
    },
  ];
}

/** The figure, with a link to its curves where there are any. */
function figure(page, step) {
  const where = page.curve(step.link);
  const words = figureWords(step.figure);
  const unit = page.kernels.find(({ name }) => name === step.kernel);
  return [
    where ? element("a", { href: where }, words) : words,
    typeof step.size === "number"
      ? element("small", {}, `at ${whole(step.size)} ${visible(unit?.unit || unit?.size || "")}`)
      : null,
  ];
}

function interval({ factor, low, high }) {
  if (typeof low !== "number" || typeof high !== "number") return null;
  const ends = factor > 1 ? [low, high] : [1 / high, 1 / low];
  return element("small", {}, `${digits(ends[0])} to ${digits(ends[1])}`);
}
