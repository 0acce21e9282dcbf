// The notes below the ranked table: what its signs and columns mean, and why some backends have no rank.

import { commas, element, foreign, list, visible } from "../parts/dom.js";
import { isNumber, listed } from "../parts/format.js";

export const TIED = "can’t be told apart from the one above";

/** [reason, the nodes of the backends' names] */
export function backendsByReason(entries) {
  const grouped = Map.groupBy(entries, ({ reason }) => reason || "not measured");
  return [...grouped].map(([reason, group]) => [reason, commas(group.map(({ backend }) => foreign(backend)))]);
}

/** The notes below the ranked table. */
export function notes(page, ranking, others, ranks) {
  const any = (test) => ranking.entries.some(test);
  const { run, roof_reason: noRoof } = ranking;
  return list("notes", [
    page.kernel.remark && visible(page.kernel.remark),
    run?.remark && [element("b", {}, "Too long: "), foreign(run.remark)],
    run && any((entry) => entry.tied) && [element("b", {}, "="), ` ${TIED}: the order may be chance.`],
    any((entry) => entry.settled === false) && [
      element("b", {}, "*"),
      " had not settled: the time of a call still drifted while it was measured.",
    ],
    ...backendsByReason(others).map(([reason, names]) => ["Without a rank: ", names, ": ", foreign(reason), "."]),
    [
      "The small numbers below a time, and the bar in the drawing, ",
      run
        ? "are the fastest and the slowest process; without a rank, and for a first call, the samples’ quartiles. "
        : "are the samples’ quartiles. ",
      "A mark is the median. All rows have one logarithmic scale.",
    ],
    `Warm call: a later call, when everything is compiled.${page.isOnGpu ? "" : " Threads: how many a backend may use."}`,
    any((entry) => isNumber(entry.standard_error))
      ? "Error: the distance from pi. ±: the standard error, which is chance. z: the error in standard errors; up to about 3 is chance."
      : any((entry) => isNumber(entry.error)) &&
        "Error: the largest difference from a result in float64, over the largest entry.",
    any((entry) => entry.roof)
      ? "Roof: the most that this machine does on as many threads, in multiply-adds of float32 (flop) or in bytes moved, " +
        "whichever limit is nearer."
      : noRoof && ["This kernel has no roof: ", foreign(noRoof), "."],
    hasFirstCalls(ranking)
      ? [
          `First call: with empty caches, including the compilation${commits(page, ranking)}. `,
          ranking.entries.some((entry) => isNumber(entry.cached_seconds)) && "Cached: with a filled disk cache. ",
          "Paid off: warm calls after which compiling and calling took no longer in all than NumPy.",
          coldSizes(ranking).some((size) => size !== ranking.size) &&
            " A first call of another size is corrected by the difference of the warm calls.",
        ]
      : withoutFirstCalls(page, ranking),
    ...gaps(ranks),
  ]);
}

/** Why cells have no number, each reason once: the titles of the cells are out of reach for keys and touch. */
function gaps(ranks) {
  const byReason = Map.groupBy(ranks.querySelectorAll("abbr.none"), ({ title }) => title);
  return [...byReason].map(([reason, cells]) => {
    const names = new Set(cells.map((cell) => cell.closest("tr").querySelector("bdi").textContent));
    if (!cells[0].textContent.startsWith("–")) return [foreign(reason), "."]; // it begins with the cell's word
    return ["–: ", foreign(reason), " (", foreign([...names].join(", ")), ")."];
  });
}

/** True if some backend has a first call. */
export function hasFirstCalls({ entries }) {
  return entries.some((entry) => isNumber(entry.cold_seconds));
}

function withoutFirstCalls({ kernelName, isOnGpu }, { isOneThread, size }) {
  if (isOneThread) return "First calls were measured with each backend’s own number of threads only.";
  const device = isOnGpu ? "JITKERNELS_DEVICE=gpu " : "";
  const command = element("code", {}, `${device}jitkernels time ${kernelName} -n ${size} --cold`);
  return ["First calls of this kernel are not stored: ", command, " prints them."];
}

/** The sizes of the first calls. */
export function coldSizes({ entries }) {
  return [...new Set(entries.map((entry) => entry.cold_size).filter(isNumber))];
}

/** The commits of first calls and of warm calls, if they differ. */
function commits(page, { run, entries }) {
  const { sources } = page.data;
  const measured = (row, name) => sources[row?.figures[name]?.source]?.short;
  const cold = entries.map((entry) => measured(page.row(entry.backend, entry.cold_size), "cold_seconds"));
  const warm = entries.map((entry) =>
    entry.processes ? run.short : isNumber(entry.cold_seconds) && measured(page.data.rows[entry.figures], "warm_seconds"),
  );
  const [first, later] = [cold, warm].map((all) => [...new Set(all.filter(Boolean))]);
  if (new Set([...first, ...later]).size < 2) return "";
  return ` (commit ${visible(listed(first))}; warm calls: commit ${visible(listed(later))})`;
}
