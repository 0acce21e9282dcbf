// The sections of the releases' page, in the order of a reader's questions, and their charts.

import * as readings from "./readings.js";

const LADDER = "`make releases` measures them: every release in releases.toml.";
const figure = (row) => row.figure;

/** As in compilers/views.js; all: true for a section or chart that needs the compiler's file alone. */
export const VIEWS = [
  { id: "answer", short: "Answer", title: "The answer" },
  {
    id: "releases",
    short: "From release to release",
    title: "From release to release",
    charts: [{ name: "releases", figure, value: "seconds", brings: LADDER, read: readings.releases }],
  },
  { id: "pins", short: "Your pins", title: "Your pins: from one release to another", all: true },
  { id: "machines", short: "On each machine", title: "One release on each machine", all: true },
  {
    id: "kernels",
    short: "Every kernel",
    title: "Every kernel",
    all: true,
    charts: [{ name: "release_factors", figure, brings: LADDER, read: readings.factors, all: true }],
  },
  {
    id: "inside",
    short: "Stages, counts, errors",
    title: "What changed inside",
    charts: [
      { name: "release_stages", figure, value: "seconds", brings: LADDER, read: readings.stages },
      { name: "release_counts", figure, value: "value", brings: LADDER, read: readings.counts },
      { name: "release_errors", figure, value: "value", brings: LADDER, read: readings.errors },
    ],
  },
  {
    id: "beside",
    short: "Commits beside",
    title: "Releases and commits, side by side",
    charts: [{ name: "beside", figure, value: "seconds", brings: LADDER, read: readings.beside }],
  },
  { id: "chain", short: "The chain", title: "How far the chain can be trusted", all: true },
  {
    id: "drift",
    short: "Drift",
    title: "The machine’s own drift",
    all: true,
    charts: [{ name: "drift", figure, brings: LADDER, read: readings.drift, all: true }],
  },
  { id: "missing", short: "Not measured", title: "Every release, and what could not be measured", all: true },
];
