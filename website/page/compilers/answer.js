// The answer: the fastest backend, in a sentence and in a ranked table.

import { element, foreign, sentence, unseen, visible } from "../parts/dom.js";
import { counted, digits, isNumber, percent, seconds, SPACE, times, whole } from "../parts/format.js";
import { backendsByReason, coldSizes, hasFirstCalls, notes, TIED } from "./notes.js";
import { answer, details } from "./sentence.js";
import { axis, logarithmic, strip } from "./strip.js";
import { table } from "../parts/tables.js";

const WORD = 16; // letters that a column has room for

/** The share of the nearer roof that each call reaches. */
const ROOF = {
  key: "roof",
  label: "Share of roof",
  number: true,
  sort: (entry) => entry.fraction_of_roof,
  cell: ({ roof, fraction_of_roof: share }) =>
    isNumber(share) ? [percent(share), element("small", {}, roof.by)] : unknown("its roof was not measured"),
};

/** How many threads a backend may use. */
const THREADS = {
  key: "threads",
  label: "Threads",
  number: true,
  sort: (entry) => entry.threads,
  cell: (entry) => (isNumber(entry.threads) ? whole(entry.threads) : unknown("its threads were not counted")),
};

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
  ];
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
    {
      key: "seconds",
      label: "A warm call",
      number: true,
      sort: (entry) => entry.seconds,
      cell: (entry) => [page.timeButton(ranking, entry, seconds(entry.seconds)), unsettled(entry), spread(entry)],
    },
    ...(page.isOnGpu ? [] : [THREADS]),
    {
      key: "drawing",
      label: scale ? axis(scale) : "",
      class: "drawing",
      cell: (entry) => strip(entry, page.look(entry.backend), scale),
    },
    {
      key: "numpy",
      label: "× NumPy’s speed",
      number: true,
      sort: (entry) => entry.times_faster_than_numpy,
      cell: (entry) =>
        !isNumber(entry.times_faster_than_numpy)
          ? null
          : [entry.backend === "numpy" ? "1" : times(entry.times_faster_than_numpy), range(entry)],
    },
    ...(ranking.entries.some((entry) => entry.roof) ? [ROOF] : []),
    ...(hasFirstCalls(ranking) ? firstCalls(page, ranking, missing) : []),
    {
      key: "error",
      label: "Error",
      number: true,
      sort: (entry) => entry.error,
      cell: (entry) =>
        isNumber(entry.error)
          ? [page.figureButton(row(entry), "error", digits(entry.error, 2)), chance(entry)]
          : missing(entry, "error", "error"),
    },
  ];
}

/** The standard error below an estimate's error, and the error in standard errors; null for a kernel without chance. */
function chance({ standard_error: standard, z }) {
  if (!isNumber(standard)) return null;
  return element("small", {}, `± ${digits(standard, 2)}`, isNumber(z) ? `, z ${digits(z, 2)}` : "");
}

/** How long a backend's first call takes, and after how many calls compiling has paid off. */
function firstCalls(page, ranking, missing) {
  const first = (entry, name) => page.figureButton(page.row(entry.backend, entry.cold_size), name, seconds(entry[name]));
  const sizes = coldSizes(ranking);
  const at = (size) => (size === ranking.size ? null : counted(size, page.unit));
  const ofEach = ({ cold_size: size }) => sizes.length > 1 && at(size) && element("small", {}, `at ${at(size)}`);
  return [
    {
      key: "cold",
      label: "First call",
      unit: sizes.length === 1 ? at(sizes[0]) : null,
      number: true,
      sort: (entry) => entry.cold_seconds,
      cell: (entry) =>
        !isNumber(entry.cold_seconds)
          ? missing(entry, "cold_seconds", "first call")
          : [
              first(entry, "cold_seconds"),
              ofEach(entry),
              spread(page.row(entry.backend, entry.cold_size)?.figures.cold_seconds ?? {}),
              isNumber(entry.cached_seconds) ? element("small", {}, first(entry, "cached_seconds"), " cached") : null,
            ],
    },
    {
      key: "paid",
      label: "Paid off after",
      unit: "calls",
      number: true,
      sort: (entry) => entry.break_even.numpy,
      cell: (entry) => paid(entry),
    },
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

function range(entry) {
  const [low, high] = [entry.times_faster_than_numpy_low, entry.times_faster_than_numpy_high];
  return isNumber(low) && isNumber(high) && entry.backend !== "numpy"
    ? element("small", {}, `${digits(low)} to ${digits(high)}`)
    : null;
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
