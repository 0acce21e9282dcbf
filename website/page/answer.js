// The answer: who is fastest, in a sentence and in a ranked table.

import { drawn, element, foreign, unseen, visible } from "./dom.js";
import { digits, seconds, times, whole } from "./format.js";
import { afterwards, answer } from "./sentence.js";
import { mark } from "./symbols.js";
import { table } from "./tables.js";

const WIDTH = 140; // pixels of the drawing in a row
const EDGE = 8;

/** The nodes of the answer for one ranking. */
export function answerView(page, ranking) {
  const scale = logarithmic(ranking.entries);
  const ranked = ranking.entries.filter((entry) => entry.rank !== null);
  const others = ranking.entries.filter((entry) => entry.rank === null && isNumber(entry.seconds));
  const empty = ranking.entries.filter((entry) => !isNumber(entry.seconds));
  const tied = ranked.some((entry) => entry.tied);
  return [
    element("p", { class: "answer" }, answer(ranking, page.unit)),
    element("p", { class: "lede" }, afterwards(ranking, (backend) => page.isJit(backend)).join(" ")),
    table({
      id: "ranking",
      caption: `${page.kernelName} at ${whole(ranking.size)} ${page.unit}: seconds a warm call, fastest first`,
      columns: columns(page, scale),
      groups: [ranked, others],
      sort: page.sortOf("ranking"),
      onsort: (sort) => page.sortBy("ranking", sort),
      mark: (entry) => [entry.rank === null && "unranked", page.hidden(entry.backend) && "faint"].filter(Boolean).join(" ") || null,
    }),
    empty.length ? element("dl", { class: "without" }, grouped(empty).map(([reason, names]) => [
      element("dt", {}, names.map((name, place) => [place ? ", " : "", foreign(name)])), element("dd", {}, foreign(reason))])) : null,
    element(
      "ul", { class: "notes" },
      tied ? element("li", {}, element("b", {}, "="), " can’t be told apart from the one above: by their samples, the order may be chance.") : null,
      ranking.entries.some((entry) => entry.settled === false)
        ? element("li", {}, element("b", {}, "*"), " its calls had not settled: their level still changed when the samples were taken.") : null,
      element("li", {}, "The drawing has one scale of logarithms for all rows; a dot is the median, its bar the samples’ quartiles."),
      element("li", {}, `First call: with empty caches, compiling included${coldSizes(page, ranking)}. Paid off: warm calls until compiling and calling took no longer than NumPy.`),
    ),
  ];
}

/** At which size the first calls were timed, where that is another one. */
function coldSizes(page, { size, entries }) {
  const sizes = [...new Set(entries.map((entry) => entry.cold_size).filter((cold) => isNumber(cold) && cold !== size))];
  return sizes.length ? `, timed at ${sizes.map(whole).join(", ")} ${page.unit}` : "";
}

function columns(page, scale) {
  const row = (entry) => page.data.rows[entry.figures];
  const figure = (entry, name, text) => page.figure(row(entry), name, text) ?? text;
  const first = (entry, name) => page.figure(page.row(entry.backend, entry.cold_size), name, seconds(entry[name])) ?? seconds(entry[name]);
  return [
    { key: "rank", label: "Rank", number: true, sort: (entry) => entry.rank, cell: rank },
    { key: "backend", label: "Backend", head: true, class: "backend", sort: (entry) => entry.backend, cell: (entry) => page.named(entry.backend, entry.interpreted) },
    {
      key: "seconds", label: "A warm call", number: true, sort: (entry) => entry.seconds,
      cell: (entry) => [figure(entry, "warm_seconds", seconds(entry.seconds)), marks(entry)],
    },
    { key: "drawing", label: axis(scale), class: "drawing", cell: (entry) => strip(page, entry, scale) },
    {
      key: "numpy", label: "× NumPy", number: true, sort: (entry) => entry.times_faster_than_numpy,
      cell: (entry) => !isNumber(entry.times_faster_than_numpy) ? null : [entry.backend === "numpy" ? "1" : times(entry.times_faster_than_numpy), range(entry)],
    },
    {
      key: "cold", label: "First call", number: true, sort: (entry) => entry.cold_seconds,
      cell: (entry) => !isNumber(entry.cold_seconds) ? none(page, entry, "cold_seconds") : [
        first(entry, "cold_seconds"),
        isNumber(entry.cached_seconds) ? element("small", {}, first(entry, "cached_seconds"), " cached") : null,
      ],
    },
    { key: "paid", label: "Paid off", unit: "calls", number: true, sort: (entry) => entry.break_even?.numpy, cell: (entry) => paid(entry) },
    {
      key: "error", label: "Error", number: true, sort: (entry) => entry.error,
      cell: (entry) => !isNumber(entry.error) ? none(page, entry, "error") : [
        figure(entry, "error", digits(entry.error, 2)),
        isNumber(entry.standard_error) ? element("small", {}, `± ${digits(entry.standard_error, 2)}`, isNumber(entry.z) ? `, z ${digits(entry.z, 2)}` : "") : null,
      ],
    },
  ];
}

function rank(entry) {
  if (entry.rank === null) return unseen("not ranked");
  return [`${entry.rank}`, entry.tied ? element("b", { class: "tie", title: "can’t be told apart from the one above" }, "=", unseen(" can’t be told apart from the one above")) : null];
}

/** In place of a number that is not there, with the reason. */
function none(page, entry, name) {
  const reason = page.data.rows[entry.figures]?.missing?.[name]?.reason;
  return element("abbr", { class: "none", title: visible(reason ?? "not measured") }, "–", unseen(` ${visible(reason ?? "not measured")}`));
}

function marks(entry) {
  return [
    entry.settled === false ? element("b", { title: "its calls had not settled" }, "*", unseen(" not settled")) : null,
  ];
}

/** Backends by the reason for which they have no time, as [reason, names]. */
function grouped(entries) {
  const found = new Map();
  for (const { backend, reason } of entries) found.set(reason || "not measured", [...(found.get(reason || "not measured") ?? []), backend]);
  return [...found];
}

function range(entry) {
  const [low, high] = [entry.times_faster_than_numpy_low, entry.times_faster_than_numpy_high];
  return isNumber(low) && isNumber(high) && entry.backend !== "numpy" ? element("small", {}, `${digits(low)} to ${digits(high)}`) : null;
}

function paid({ backend, break_even: even }) {
  if (!even || backend === "numpy") return null;
  const eager = isNumber(even.eager) ? whole(even.eager) : inAWord(even.eager_reason);
  return [
    isNumber(even.numpy) ? whole(even.numpy) : inAWord(even.numpy_reason),
    eager ? element("small", {}, eager, " against eager") : null,
  ];
}

/** "never" of "never: its warm call is not the faster one"; the rest is told by pointing, and read out. Longer reasons are a dash. */
function inAWord(reason) {
  if (!reason || /has no eager mode|is an eager mode/.test(reason)) return null;
  const [word] = reason.split(":");
  return element("abbr", { class: "none", title: visible(reason) }, word.length < 16 ? visible(word) : "–", unseen(` ${visible(reason)}`));
}

function strip(page, entry, scale) {
  if (!isNumber(entry.seconds) || !scale) return null;
  const { colour, shape } = page.look(entry.backend);
  const [low, high] = [scale.x(entry.low ?? entry.seconds), scale.x(entry.high ?? entry.seconds)];
  return drawn(
    "svg", { viewBox: `0 0 ${WIDTH} 18`, width: WIDTH, height: 18, "aria-hidden": "true" },
    scale.ticks.map((tick) => drawn("line", { x1: scale.x(tick), x2: scale.x(tick), y1: 0, y2: 18, class: "tick" })),
    drawn("line", { x1: EDGE, x2: scale.x(entry.seconds), y1: 9, y2: 9, class: "lead" }),
    drawn("line", { x1: low, x2: Math.max(high, low + 1), y1: 9, y2: 9, stroke: colour, "stroke-width": 8, opacity: 0.35 }),
    mark(shape, colour, { x: scale.x(entry.seconds), y: 9, hollow: entry.interpreted }),
  );
}

function axis(scale) {
  if (!scale) return "";
  const shown = scale.ticks.filter((_, place, all) => all.length < 4 || place % Math.ceil(all.length / 3) === 0);
  return [unseen("Drawn"), drawn(
    "svg", { viewBox: `0 0 ${WIDTH} 14`, width: WIDTH, height: 14, "aria-hidden": "true" },
    shown.map((tick) => drawn("text", { x: scale.x(tick), y: 11, "text-anchor": scale.x(tick) < 20 ? "start" : scale.x(tick) > WIDTH - 24 ? "end" : "middle" }, power(tick))),
  )];
}

/** "10 ms", of a power of ten. */
function power(seconds) {
  const [factor, unit] = [[1, "s"], [1e-3, "ms"], [1e-6, "µs"], [1e-9, "ns"]].find(([factor]) => seconds >= factor * 0.999) ?? [1e-9, "ns"];
  return `${whole(seconds / factor)} ${unit}`;
}

/** A scale of logarithms over all the times, with a tick at each power of ten. */
function logarithmic(entries) {
  const values = entries.flatMap(({ low, seconds: middle, high }) => [low, middle, high]).filter((value) => isNumber(value) && value > 0);
  if (!values.length) return null;
  const [least, most] = [Math.log10(Math.min(...values)), Math.log10(Math.max(...values))];
  const from = Math.min(least, most - 1);
  const x = (value) => EDGE + ((Math.log10(value) - from) / (most - from)) * (WIDTH - 2 * EDGE);
  const ticks = [];
  for (let power = Math.ceil(from - 1e-9); power <= most + 1e-9; power++) ticks.push(10 ** power);
  return { x: (value) => Math.max(EDGE, x(value)), ticks };
}

function isNumber(value) {
  return typeof value === "number";
}
