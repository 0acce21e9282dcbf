// The sections of the releases' page, in the order of a reader's questions, and their charts.

import { machinesView } from "../frame/machines.js";
import { caseColumns } from "../frame/steps.js";
import * as readings from "./readings.js";

const LADDER = "`make releases` measures them: every release in releases.toml.";
const DUETS = "`make release-duets` measures them.";

/** As in compilers/views.js; all: true for a section or chart that needs only the compiler's file. */
export const VIEWS = [
  { id: "answer", short: "Answer", title: "Which releases changed the time" },
  {
    id: "releases",
    short: "From release to release",
    title: "From release to release",
    charts: [{ name: "releases", value: "seconds", brings: LADDER, read: readings.releases }],
  },
  { id: "pins", short: "Two releases", title: "Compare two releases", all: true },
  { id: "machines", short: "On each machine", title: "One release on each machine", all: true },
  {
    id: "kernels",
    short: "Every kernel",
    title: "Warm calls of every kernel",
    all: true,
    charts: [{ name: "release_factors", brings: LADDER, read: readings.factors, all: true }],
  },
  {
    id: "inside",
    short: "Stages, counts, errors",
    title: "Stages of compilation, counts and errors",
    charts: [
      { name: "release_stages", value: "seconds", brings: LADDER, read: readings.stages },
      { name: "release_counts", value: "value", brings: LADDER, read: readings.counts },
      { name: "release_errors", value: "value", brings: LADDER, read: readings.errors },
    ],
  },
  {
    id: "beside",
    short: "Releases and commits",
    title: "Releases and commits, side by side",
    charts: [{ name: "beside", value: "seconds", brings: LADDER, read: readings.beside }],
  },
  { id: "chain", short: "Check of the chain", title: "How exact the chain of ratios is", all: true },
  {
    id: "drift",
    short: "Drift",
    title: "Drift of the machine itself",
    all: true,
    charts: [{ name: "drift", brings: LADDER, read: readings.drift, all: true }],
  },
  { id: "missing", short: "Not measured", title: "Every release, and what could not be measured", all: true },
];

/** The nodes: the ratios of a release by case and machine. */
export function machinesSection(page) {
  const key = ({ release }) => release;
  return machinesView(page, page.ladder.duets?.tables ?? [], {
    end: { label: "Release", key, words: key },
    none: `This table needs duets of ${page.compiler} on two machines, and a step on one of them. ${DUETS}`,
    cases: caseColumns(page),
  });
}
