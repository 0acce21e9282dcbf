// The answer: the fastest backend, in a sentence and in a ranked table.

import { element, foreign, list, sentence, unseen, visible } from "../parts/dom.js";
import { counted, digits, isNumber, percent, seconds, SPACE, times, whole } from "../parts/format.js";
import { backendsByReason, coldSizes, hasFirstCalls, notes, TIED } from "./notes.js";
import { answer, details } from "./sentence.js";
import { axis, logarithmic, strip } from "./strip.js";
import { numbers, table } from "../parts/tables.js";

const NO_NUMPY = "NumPy has no time here, or one of another run";
const WORD = 16; // letters that a column has room for

/** The share of the nearer roof that each call reaches. */
const ROOF = numbers("roof", "Share of roof", (share, { roof }) => [percent(share), element("small", {}, roof.by)], {
  of: (entry) => entry.fraction_of_roof,
  none: () => unknown("its roof was not measured"),
});

/** How many threads a backend may use. */
const THREADS = numbers("threads", "Threads", whole, { none: () => unknown("its threads were not counted") });

/** The nodes of the answer for one ranking. */
export function answerView(page, ranking) {
  const scale = logarithmic(ranking.entries);
  const ranked = ranking.entries.filter((entry) => entry.rank !== null);
  const others = ranking.entries
    .filter((entry) => entry.rank === null && isNumber(entry.seconds))
    .toSorted((one, other) => one.seconds - other.seconds);
  const empty = ranking.entries.filter((entry) => !isNumber(entry.seconds));
  const threads = ranking.isOneThread ? " with one thread each" : "";
  const ranks = table(page, {
    id: "ranking",
    caption: `${page.kernelName} at ${counted(ranking.size, page.unit)}: seconds per warm call${threads}, fastest first`,
    columns: columns(page, ranking, scale),
    groups: [ranked, others],
    mark: (entry) => [entry.rank === null && "unranked", page.isHidden(entry.backend) && "faint"],
  });
  return [
    element("p", { class: "answer" }, answer(ranking, page.unit)),
    element("p", { class: "lede" }, sentence(details(ranking, page.unit, (backend) => page.isJit(backend)).join(" "))),
    ranks,
    without(empty),
    notes(page, ranking, others, ranks),
    page.details("backends", "What the backends are", list("notes", ranking.entries.map((entry) => meaning(page, entry)))),
  ];
}

/** "numba: njit." */
function meaning(page, { backend }) {
  return [foreign(backend), ": ", foreign(page.backends.get(backend)?.what ?? "unknown to this version of the library"), "."];
}

/** The backends that have no time, by the reason. */
function without(entries) {
  if (!entries.length) return null;
  const list = backendsByReason(entries).map(([reason, names]) => [element("dt", {}, names), element("dd", {}, foreign(reason))]);
  return element("dl", { class: "without" }, list);
}

function columns(page, ranking, scale) {
  const row = (entry) => page.data.rows[entry.figures];
  const missing = (entry, name, what) => unknown(row(entry)?.missing?.[name]?.reason || `its ${what} was not measured`);
  const ranks = { key: "rank", label: "Rank", number: true, sort: (entry) => entry.rank, cell: rank };
  const time = (value, entry) => [page.timeButton(ranking, entry, seconds(value)), unsettled(entry), spread(entry)];
  const error = (value, entry) => [page.figureButton(row(entry), "error", digits(value, 2)), chance(entry)];
  return [
    ...(ranking.run ? [ranks] : []),
    {
      key: "backend",
      label: "Backend",
      head: true,
      class: "backend",
      sort: (entry) => entry.backend,
      cell: (entry) => page.backendName(entry.backend, entry.interpreted),
    },
    numbers("seconds", "A warm call", time),
    ...(page.isOnGpu ? [] : [THREADS]),
    {
      key: "drawing",
      label: scale ? axis(scale) : "",
      class: "drawing",
      cell: (entry) => strip(entry, page.look(entry.backend), scale),
    },
    numbers("numpy", "× NumPy’s speed", overNumpy, { of: (entry) => entry.times_faster_than_numpy, none: () => unknown(NO_NUMPY) }),
    ...(ranking.entries.some((entry) => entry.roof) ? [ROOF] : []),
    ...(hasFirstCalls(ranking) ? firstCalls(page, ranking, missing) : []),
    numbers("error", "Error", error, { none: (entry) => missing(entry, "error", "error") }),
  ];
}

function overNumpy(speed, entry) {
  const { backend, times_faster_than_numpy_low: low, times_faster_than_numpy_high: high } = entry;
  if (backend === "numpy") return "1";
  return [times(speed), isNumber(low) && isNumber(high) && element("small", {}, `${digits(low)} to ${digits(high)}`)];
}

/** The standard error below an estimate's error, and the error in standard errors; null for a kernel without chance. */
function chance({ standard_error: standard, z }) {
  if (!isNumber(standard)) return null;
  return element("small", {}, `± ${digits(standard, 2)}`, isNumber(z) ? `, z ${digits(z, 2)}` : "");
}

/** How long a backend's first call takes, and after how many calls compiling has paid off. */
function firstCalls(page, ranking, missing) {
  const sizes = coldSizes(ranking);
  const at = (size) => (size === ranking.size ? null : counted(size, page.unit));
  const ofEach = (size) => sizes.length > 1 && at(size) && element("small", {}, `at ${at(size)}`);
  const first = (value, { backend, cold_size: size, cached_seconds: cached }) => {
    const row = page.row(backend, size);
    const button = (name, value) => page.figureButton(row, name, seconds(value));
    const filled = isNumber(cached) ? element("small", {}, button("cached_seconds", cached), " cached") : null;
    return [button("cold_seconds", value), ofEach(size), spread(row?.figures.cold_seconds ?? {}), filled];
  };
  return [
    numbers("cold", "First call", first, {
      of: (entry) => entry.cold_seconds,
      none: (entry) => missing(entry, "cold_seconds", "first call"),
      unit: sizes.length === 1 ? at(sizes[0]) : null,
    }),
    { key: "paid", label: "Paid off after", unit: "calls", number: true, sort: (entry) => entry.break_even.numpy, cell: paid },
  ];
}

function rank(entry) {
  if (entry.rank === null) return unseen("not ranked");
  return [`${entry.rank}`, entry.tied && element("b", { class: "tie", title: TIED }, "=", unseen(` ${TIED}`))];
}

function unsettled(entry) {
  return entry.settled === false && element("b", { title: "its time still drifted" }, "*", unseen(" not settled"));
}

/** The range below a time: from the fastest process to the slowest, or the quartiles. */
function spread({ low, high }) {
  if (!isNumber(low) || !isNumber(high)) return null;
  const [[least, unit], [most, same]] = [low, high].map((value) => seconds(value).split(SPACE));
  return element("small", {}, `${least}${unit === same ? "" : `${SPACE}${unit}`} to ${most}${SPACE}${same}`);
}

function paid({ backend, break_even: even }) {
  if (backend === "numpy") return null;
  const [numpy, eager] = ["numpy", "eager"].map((rival) => calls(even[rival], even[`${rival}_reason`]));
  if (!eager) return numpy ?? unknown(even.numpy_reason);
  const beside = element("small", { class: "wraps" }, eager, " against eager");
  return numpy ? [numpy, beside] : [beside, unseen(`; against NumPy: ${visible(even.numpy_reason)}`)];
}

function calls(number, reason) {
  return isNumber(number) ? whole(number) : shortReason(reason);
}

/** "never" of "never: its warm call is not the faster one", titled with the whole reason; null if the word is too long. */
function shortReason(reason) {
  const [word] = (reason ?? "").split(":");
  return word && word.length < WORD
    ? element("abbr", { class: "none", title: visible(reason) }, visible(word), unseen(` ${visible(reason)}`))
    : null;
}

/** A dash in place of a missing number, with the reason as its title. The notes repeat it. */
function unknown(reason) {
  const why = visible(reason);
  return element("abbr", { class: "none", title: why }, "–", unseen(` ${why}`));
}
