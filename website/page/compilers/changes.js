// The steps between commits and between releases, newest first.

import { element, foreign, visible } from "../parts/dom.js";
import { day, quantity, whole } from "../parts/format.js";
import { interval, verdict } from "../frame/verdict.js";

const ALL = "changes-all"; // among the open details: all steps
const PAGES = [
  ["commits.html", "commit by commit,"],
  ["releases.html", "release by release."],
];
const AT_ONCE = 15; // steps of each kind; a button shows the rest

/** The nodes of the list of steps. */
export function changesView(page, { changes, left_out: left }) {
  const beside = element(
    "p",
    {},
    "A change of a time is listed if both, measured in turn, differ by 5\u00a0% or more and beyond their interval, which is in " +
      "brackets. The two numbers of a time are medians; the change is the ratio of pairs, so it can differ from theirs. A change " +
      "of an exact figure is always listed. The curves are on the pages ",
    PAGES.map(([file, name]) => [element("a", { href: page.addressOf(file), "data-page": file }, name), " "]),
  );
  if (!changes.length) {
    const command = element("code", {}, "make history");
    const none = "No change so far. This list needs several measured commits: ";
    return [beside, element("p", {}, none, command, " measures them.")];
  }
  const newest = ["commit", "release"].flatMap((kind) => changes.filter((step) => step.kind === kind).slice(0, AT_ONCE));
  const shown = page.isOpen(ALL) ? changes : changes.filter((step) => newest.includes(step));
  return [
    beside,
    element("ol", { class: "changes" }, shown.map((step) => element("li", {}, line(page, step)))),
    shown.length < changes.length ? page.showAllButton(ALL, changes.length) : null,
    left ? element("p", {}, `${whole(left)} older changes of counts and errors are left out.`) : null,
  ];
}

/** The unit after a step's numbers. A count's unit is its name. */
function unit({ figure, unit }) {
  if (figure?.startsWith("counts.")) return ` ${visible(figure.slice("counts.".length).replaceAll("_", " "))}`;
  return ["seconds", "bytes", ""].includes(unit ?? "") ? null : ` ${visible(unit)}`;
}

function line(page, step) {
  const range = interval(step);
  return [
    element(
      "p",
      {},
      verdict(step),
      range ? ` (${range}) ` : " ",
      benchmarkLink(page, step),
      step.cell?.length ? ["(", foreign(step.cell.join(", ")), ")"] : null,
      `: ${quantity(step.before, step.unit)} → ${quantity(step.after, step.unit)}`,
      unit(step),
    ),
    element(
      "p",
      { class: "where" },
      `${visible(day(step.to.date))} `,
      step.kind === "release" ? foreign(`${step.to.compiler} ${step.to.release}`) : page.commit(step.to),
      " ",
      foreign(step.to.subject ?? ""),
      " on ",
      foreign(page.machineName(step.machine)),
    ),
  ];
}

/** A step's benchmark, with a link to its kernel on the page of commits or of releases. */
function benchmarkLink(page, { kind, benchmark, kernel, machine, to }) {
  const [file, compiler] = kind === "release" ? ["releases.html", to.compiler] : ["commits.html", ""];
  const href = page.addressOf(file, { kernel, machine, compiler });
  return element("a", { href }, foreign(benchmark));
}
