// The sections of the commits' page, in the order of a reader's questions, and the chart.

import { element, visible } from "../parts/dom.js";
import { day, listed, whole } from "../parts/format.js";
import { machinesView } from "../frame/machines.js";
import { reasonsList } from "../frame/reasons.js";
import { caseColumns } from "../frame/steps.js";
import { caseWords } from "../frame/cases.js";

const AT_ONCE = 6; // commits by name; of more, the first and the last
const ONE_MACHINE = "This table needs duets on two machines, and a step on one of them. `make history` measures duets.";
const HISTORY = "`make history` measures them.";

/** As in compilers/views.js. */
export const VIEWS = [
  { id: "answer", short: "Answer", title: "Which commits changed the time" },
  {
    id: "commits",
    short: "From commit to commit",
    title: "From commit to commit",
    charts: [{ name: "by_commit", value: "seconds", brings: HISTORY, read: anchors }],
  },
  { id: "machines", short: "On each machine", title: "One commit on each machine" },
  { id: "missing", short: "Not measured", title: "What could not be measured" },
];

/** What the curves are drawn from. */
function anchors(page) {
  const names = [...new Set(page.data.series.map(({ anchor }) => visible(anchor)))];
  return `A point is the ratio to the anchor ${listed(names)} in a duet, times the anchor’s median.`;
}

/** The nodes: the ratios of a commit by case and machine. */
export function machinesSection(page) {
  const words = ({ short, date, subject }) => `${short}, ${day(date)}: ${subject ?? ""}`;
  return machinesView(page, page.steps.tables, {
    end: { label: "Commit", key: ({ short }) => short, words },
    none: ONE_MACHINE,
    cases: caseColumns(page),
  });
}

/** The nodes: this kernel's cases without a time, by the reason. */
export function missingView(page) {
  const { missing } = page.data;
  const none = `No time of ${page.kernelName} ${page.data.series.length ? "is missing" : "was measured in duets, only counts and errors"}.`;
  if (!missing.length) return [element("p", {}, none)];
  const gaps = missing.map((gap) => ({ reason: gap.reason, what: caseWords(page, gap), place: gap.commit }));
  return [reasonsList(gaps, names)];
}

function names(commits) {
  if (commits.length <= AT_ONCE) return commits.join(", ");
  return `${commits[0]} to ${commits.at(-1)}, ${whole(commits.length)} commits`;
}
