// The sections of the compilers' page, in the order of a reader's questions, and their charts.

import * as readings from "./readings.js";

const WARM = "`make bench` measures warm calls at two sizes, `make bench FULL=1` at all.";
const FULL = "`make bench FULL=1` measures them for some kernels.";
const ROOF = "`make ranking` measures both, for the kernels whose operations on float32 can be counted.";
const ESTIMATE = "Only the kernels that estimate pi have a standard error; `make bench FULL=1` measures their accuracy.";

/**
 * id, the link's word, heading, and charts: their `name`; `value`, the column of the table that shows a mark's figure;
 * `brings`, shown without rows; `read`, what the rows say. On this page: `figure`, the name of a mark's figure, or null.
 */
export const VIEWS = [
  { id: "answer", short: "Answer", title: "The fastest backend" },
  {
    id: "time",
    short: "Time",
    title: "Time against {size}",
    charts: [
      { name: "seconds", figure: () => "warm_seconds", value: "seconds", brings: WARM, read: readings.seconds },
      { name: "speedup", figure: () => "warm_seconds", brings: WARM, read: readings.speedup },
      { name: "roofline", figure: () => null, brings: ROOF, read: readings.roofline },
    ],
  },
  {
    id: "error",
    short: "Error",
    title: "Error against {size}",
    charts: [
      { name: "error", figure: () => "error", value: "error", brings: ESTIMATE, read: readings.error },
      { name: "pi", figure: () => "warm_seconds", value: "seconds", brings: ESTIMATE },
    ],
  },
  {
    id: "tradeoff",
    short: "Trade-off",
    title: "Time against accuracy",
    charts: [
      { name: "tradeoff", figure: () => "warm_seconds", value: "seconds", brings: ESTIMATE, read: readings.tradeoff },
    ],
  },
  {
    id: "lives",
    short: "First calls",
    title: "First calls, compilation and later calls",
    charts: [
      { name: "lives", figure: (row) => `${row.life}_seconds`, value: "seconds", brings: FULL, read: readings.lives },
      { name: "stages", figure: (row) => `stages.${row.stage}`, value: "seconds", brings: FULL, read: readings.stages },
      {
        name: "ahead_of_time",
        figure: (row) => `aot.${row.form}.${row.step.replaceAll(" ", "_")}_seconds`,
        value: "seconds",
        brings: FULL,
        read: readings.aheadOfTime,
      },
      { name: "break_even", figure: () => "cold_seconds", brings: FULL, read: readings.breakEven },
      {
        name: "counts",
        figure: (row) => `counts.${row.count.replaceAll(" ", "_")}`,
        value: "value",
        brings: FULL,
        read: readings.counts,
      },
    ],
  },
  { id: "matrix", short: "All kernels", title: "Every kernel on every backend" },
  { id: "rivals", short: "Who is ahead", title: "How far is each compiler from the fastest other framework?" },
  { id: "changes", short: "What changed", title: "What changed between commits and releases" },
  { id: "gate", short: "The gate", title: "How often the check of changes (the gate) is wrong" },
  { id: "environments", short: "Machines", title: "Machines and environments" },
];
