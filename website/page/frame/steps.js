// The table of steps: where a figure changed, from commit to commit or from release to release.

import { element, foreign, list } from "../parts/dom.js";
import { quantity } from "../parts/format.js";
import { numbers, table } from "../parts/tables.js";
import { caseWords, figureWords } from "./cases.js";
import { interval, isLarge, verdict } from "./verdict.js";

const ALL = "steps-all"; // among the open details: all steps
const AT_ONCE = 8; // steps of a kind; a button shows the rest
const INSIDE = "counts."; // figures that explain a step in time or in an answer; shown with all steps

/**
 * The nodes: this kernel's steps, then those of other kernels, both in the given order, and notes.
 *
 * none: the sentence without steps; first: the first column; last: the last columns; notes: texts or nodes, or false.
 */
export function stepsTable(page, steps, { none, caption, first, last, notes }) {
  if (!steps.length) return [element("p", {}, none)];
  const all = page.isOpen(ALL);
  const groups = [true, false].map((own) => steps.filter(({ kernel }) => own === (kernel === page.kernel.name)));
  const shown = all ? groups : groups.map(foremost);
  const left = groups.flat().length - shown.flat().length;
  return [
    table(page, {
      id: "steps",
      caption: `${caption}: those of ${page.kernelName}, then of the other kernels`,
      columns: [first, ...columns(page), ...last],
      groups: shown,
      mark: (step) => (isLarge(step) ? null : "small"),
    }),
    left ? page.showAllButton(ALL, steps.length) : null,
    list("notes", notes),
  ];
}

/** The newest steps in times and answers; steps in counts only if there are no others. */
function foremost(steps) {
  const seen = steps.filter(({ figure }) => !figure.startsWith(INSIDE));
  return (seen.length ? seen : steps).slice(0, AT_ONCE);
}

function columns(page) {
  const value = (key, label, end) =>
    numbers(key, label, (amount, step) => [quantity(amount, step.unit), element("small", {}, foreign(nameOf(step[end])))]);
  return [
    {
      key: "factor",
      label: "Change",
      number: true,
      sort: (step) => step.factor,
      cell: (step) => [page.stepButton(step, verdict(step)), interval(step) && element("small", {}, interval(step))],
    },
    ...caseColumns(page, false),
    value("before", "Before", "from"),
    value("after", "After", "to"),
  ];
}

/**
 * The columns that name a row's case. A narrow screen has only the first one, with the others below the kernel's name.
 *
 * head: the kernel names the row.
 */
export function caseColumns(page, head = true) {
  return [
    {
      key: "kernel",
      label: "Kernel",
      head,
      sort: ({ kernel }) => kernel,
      cell: (row) => [
        page.kernelLink(row.kernel, { view: page.curvesView }),
        element("small", { class: "narrow" }, caseWords(page, row)),
      ],
    },
    {
      key: "backend",
      label: "Backend",
      class: "wide",
      sort: ({ backend }) => backend,
      cell: ({ backend, interpreted }) => page.backendName(backend, interpreted),
    },
    { key: "figure", label: "Figure", class: "wide", sort: (row) => row.figure, cell: (row) => figureNodes(page, row) },
  ];
}

/** The name of a commit or release. */
function nameOf(end) {
  return end.short ?? end.release ?? end;
}

function figureNodes(page, { figure, size, kernel }) {
  const at = page.atSize(size, kernel);
  return [figureWords(figure), at && element("small", {}, at.trim())];
}
