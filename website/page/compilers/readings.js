// Each chart in a sentence or two, from the rows that it is drawn from.

import { counted, isNumber, listed, percent, seconds as time, times, whole } from "../parts/format.js";
import { visible } from "../parts/dom.js";
import { commonest } from "./matrix.js";

const compiled = (rows) => rows.filter((row) => !row.interpreted);

/** The fastest at the smallest size and at the largest. */
export function seconds(page, rows) {
  const sizes = [...new Set(rows.map((row) => row.size))].sort((a, b) => a - b);
  const leader = (size) => least(compiled(rows).filter((row) => row.size === size), "seconds");
  const [first, last] = [leader(sizes[0]), leader(sizes.at(-1))];
  if (!first || !last) return null;
  const words = ({ backend, size, seconds }) =>
    `At ${counted(size, page.unit)} ${visible(backend)} has the shortest time, ${time(seconds)}.`;
  return (sizes.length === 1 ? words(last) : `${words(first)} ${words(last)}`) + apart(page);
}

/** Where the times are from, if a run ranks the backends. */
function apart(page) {
  const isRanked = page.data?.rankings.some(({ run }) => run);
  return isRanked ? " These are asv’s times, measured apart from the run that ranks the backends above." : "";
}

/** The largest gain of a compiler over its framework's eager mode, and the compilers that lose. */
export function speedup(page, rows) {
  const own = rows.filter((row) => row.over !== "numpy");
  const best = most(own, "times");
  if (!best) return null;
  const slower = [...new Set(own.filter(({ high }) => isNumber(high) && high < 1).map((row) => visible(row.backend)))];
  const gain = `${visible(best.backend)} gains most over its framework’s eager mode: ${times(best.times)}`;
  const loss = slower.length
    ? `${listed(slower)} took longer than eager at some size.`
    : own.every((row) => row.times >= 1)
      ? "No compiler took longer than eager at any size measured."
      : "No compiler is known to take longer than eager.";
  return `${gain} at ${counted(best.size, page.unit)}. ${loss}${apart(page)}`;
}

/** Whether an error is larger than chance allows. */
export function error(page, rows) {
  const far = rows.filter((row) => row.z > 3);
  const names = [...new Set(far.map((row) => visible(row.backend)))];
  const shared = most(rows, "same");
  const same =
    shared?.same > 2
      ? ` ${whole(shared.same)} backends have the same error to the last digit: they count the same points.`
      : "";
  const luck = far.length
    ? `${listed(names)} ${names.length === 1 ? "has" : "have"} an error above three standard errors.`
    : "No error is above three standard errors: chance can explain these differences.";
  return luck + same;
}

/** The verdict on the claim that 10^6 to 10^7 points are best; jitkernels/charts/tradeoff.py writes it. */
export function tradeoff(page) {
  return page.data.claim ? visible(page.data.claim) : null;
}

/** The slowest first call at the size that most backends have, and how much of it a cache saves. */
export function lives(page, rows) {
  const size = commonest(rows.filter((row) => row.life === "cold").map((row) => row.size));
  const life = (name) => rows.filter((row) => row.life === name && row.size === size);
  const slowest = most(compiled(life("cold")), "seconds");
  if (!slowest) return null;
  const cold = new Map(life("cold").map((row) => [row.backend, row.seconds]));
  const cached = life("cached").map((row) => ({ ...row, kept: row.seconds / cold.get(row.backend) }));
  const own = cached.find((row) => row.backend === slowest.backend);
  const filled = own ? `; with a filled cache ${time(own.seconds)}` : "";
  const words = `${visible(slowest.backend)} has the slowest first call${page.atSize(size)}, ${time(slowest.seconds)}${filled}.`;
  const best = least(cached.filter(({ kept }) => kept > 0), "kept");
  if (!best || best.backend === slowest.backend) return words;
  const kept = `its first call then takes ${percent(best.kept)} of the cold one`;
  return `${words} A cache helps ${visible(best.backend)} most: ${kept}.`;
}

/** The longest stage of the slowest compilation. */
export function stages(page, rows) {
  const named = rows.filter((row) => row.stage !== "other");
  const longest = most(named, "total");
  if (!longest) return null;
  const stage = most(named.filter((row) => row.backend === longest.backend), "share");
  const part = `${percent(stage.share)} of it in ${visible(stage.stage)}`;
  const words = `${visible(stage.backend)} takes longest to compile: ${time(stage.total)}, ${part}.`;
  const other = most(rows.filter((row) => row.stage === "other"), "share");
  if (!other || other.share <= 0.2) return words;
  return `${words} In ${visible(other.backend)}, ${percent(other.share)} of the time belongs to no named stage.`;
}

/** The quickest file to build, and the smallest. */
export function aheadOfTime(page, rows) {
  const builds = rows.filter((row) => row.step === "build");
  const [quick, slow] = [least(builds, "seconds"), most(builds, "seconds")];
  if (!quick || quick === slow) return null;
  const built = (row) => `${visible(row.backend)}’s ${visible(row.form)} in ${time(row.seconds)}`;
  return `The quickest file to build is ${built(quick)}, the slowest ${built(slow)}.`;
}

/** The backends that pay off first against NumPy, and those that do not: at a size of a run, if it has one with NumPy. */
export function breakEven(page, rows) {
  const over = rows.filter((row) => row.over === "numpy");
  const isRanked = ({ entries }) => entries.some(({ backend, processes }) => backend === "numpy" && processes);
  const ranked = page.data.rankings.filter(isRanked).map(({ size }) => size);
  const inRun = over.filter((row) => ranked.includes(row.size));
  const isRun = inRun.length > 0;
  const [there] = [...Map.groupBy(isRun ? inRun : over, ({ size }) => size).values()].sort(
    (one, other) => other.length - one.length || other[0].size - one[0].size,
  );
  if (!there) return null;
  const fewest = Math.min(...there.map(({ calls }) => calls).filter(isNumber));
  const first = there.filter(({ calls }) => calls === fewest);
  const slow = there.filter(({ verdict }) => ["never", "took longer"].includes(verdict));
  if (!first.length && !slow.length) return null;
  const parts = [first.length ? paidFirst(first, isRun) : "", slow.length ? paidNever(slow, isRun) : ""];
  const sentence = `At ${counted(there[0].size, page.unit)}, ${parts.filter(Boolean).join("; ")}.`;
  return isRun ? sentence : `${sentence} These are estimates from few processes.`;
}

function paidFirst(rows, isRun) {
  const [{ calls }] = rows;
  const [names, pay, their] = [named(rows), ...(rows.length === 1 ? ["pays", "its"] : ["pay", "their"])];
  const when = calls ? `after ${isRun ? "" : "about "}${counted(calls, "calls")}` : `with ${their} first call`;
  return `${names} ${pay} off first against NumPy, ${when}`;
}

function paidNever(rows, isRun) {
  if (isRun) return `${named(rows)} never ${rows.length === 1 ? "pays" : "pay"} off`;
  return `a warm call of ${named(rows)} took longer than NumPy’s`;
}

function named(rows) {
  return listed(rows.map(({ backend }) => visible(backend)));
}

/** Graph breaks, if there are any. */
export function counts(page, rows) {
  const breaks = rows.filter((row) => row.count === "graph breaks");
  const broken = breaks.filter((row) => row.value > 0);
  if (!breaks.length) return null;
  return broken.length
    ? `Graph breaks: ${listed(broken.map((row) => `${whole(row.value)} in ${visible(row.backend)}`))}.`
    : "No graph breaks.";
}

/** The call that is nearest to its roof. */
export function roofline(page, rows) {
  const nearest = most(rows.filter((row) => row.backend), "fraction_of_roof");
  const limit = nearest.by === "flop" ? "multiply-adds" : "bytes moved";
  const share =
    nearest.fraction_of_roof > 1 // its loop is not the fastest one, so a call can be a few per cent faster
      ? `faster than the loop that measured this machine’s limit, ${limit}`
      : `${percent(nearest.fraction_of_roof)} of the most that this machine does in ${limit}`;
  return `${visible(nearest.backend)} is nearest to its roof, at ${counted(nearest.size, page.unit)}: ${share}.`;
}

function least(rows, key) {
  return rows.reduce((best, row) => (best && best[key] <= row[key] ? best : row), undefined);
}

function most(rows, key) {
  return rows.reduce((best, row) => (best && best[key] >= row[key] ? best : row), undefined);
}
