// The sections of the compilers' page, in the order of a reader's questions, and their charts.

import * as readings from "./readings.js";

const WARM = "`make bench` measures some warm calls, `make bench FULL=1` all.";
const FULL = "`make bench FULL=1` measures them for some kernels.";
const ROOF = "`make ranking` measures both, for the kernels whose operations on float32 can be counted.";
const ESTIMATE = "Only the kernels that estimate pi have a standard error; `make bench FULL=1` measures their accuracy.";

/**
 * id, the link's word, heading, and charts: their `name`; `value`, the column of the table that shows a mark's figure;
 * `brings`, shown without rows; `read`, what the rows say.
 */
export const VIEWS = [
  { id: "answer", short: "Answer", title: "The fastest backend" },
  {
    id: "time",
    short: "Time",
    title: "Time against {size}",
    charts: [
      { name: "seconds", value: "seconds", brings: WARM, read: readings.seconds },
      { name: "speedup", brings: WARM, read: readings.speedup },
      { name: "roofline", brings: ROOF, read: readings.roofline },
    ],
  },
  {
    id: "error",
    short: "Error",
    title: "Error against {size}",
    charts: [
      { name: "error", value: "error", brings: ESTIMATE, read: readings.error },
      { name: "pi", value: "seconds", brings: ESTIMATE },
    ],
  },
  {
    id: "tradeoff",
    short: "Trade-off",
    title: "Time against accuracy",
    charts: [{ name: "tradeoff", value: "seconds", brings: ESTIMATE, read: readings.tradeoff }],
  },
  {
    id: "lives",
    short: "First calls",
    title: "First calls, compilation and later calls",
    charts: [
      { name: "lives", value: "seconds", brings: FULL, read: readings.lives },
      { name: "stages", value: "seconds", brings: FULL, read: readings.stages },
      { name: "ahead_of_time", value: "seconds", brings: FULL, read: readings.aheadOfTime },
      { name: "break_even", brings: FULL, read: readings.breakEven },
      { name: "counts", value: "value", brings: FULL, read: readings.counts },
    ],
  },
  { id: "matrix", short: "All kernels", title: "Every kernel on every backend" },
  { id: "rivals", short: "Who is ahead", title: "How far is each compiler from the fastest other framework?" },
  { id: "changes", short: "What changed", title: "What changed between commits and releases" },
  { id: "gate", short: "The gate", title: "How often the check of changes (the gate) is wrong" },
  { id: "environments", short: "Machines", title: "Machines and environments" },
];
