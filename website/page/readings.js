// What a chart says, in a sentence or two, read from the same rows that it is drawn from.

import { digits, listed, seconds as time, times, whole } from "./format.js";
import { visible } from "./dom.js";

const compiled = (rows) => rows.filter((row) => !row.interpreted);

/** Who leads at the smallest and at the largest size: where overhead decides, and where the loop does. */
export function seconds(page, rows) {
  const sizes = [...new Set(rows.map((row) => row.size))].sort((a, b) => a - b);
  const leader = (size) => least(compiled(rows).filter((row) => row.size === size), "seconds");
  const [first, last] = [leader(sizes[0]), leader(sizes.at(-1))];
  if (!first || !last) return null;
  const most = `${visible(last.backend)} takes least at ${whole(last.size)} ${page.unit}: ${time(last.seconds)}, or ${time(last.seconds / last.size)} for each`;
  if (sizes.length === 1) return `${most}.`;
  return `At ${whole(first.size)} ${page.unit}, where a call’s overhead decides, ${visible(first.backend)} takes least (${time(first.seconds)}). ${most}.`;
}

/** What a framework's compiler buys over its own eager mode: the most, and the cases where it loses. */
export function speedup(page, rows) {
  const own = rows.filter((row) => row.over !== "numpy");
  const best = most(own, "times");
  if (!best) return null;
  const slower = [...new Set(own.filter((row) => row.high < 1).map((row) => visible(row.backend)))];
  return `Over the own eager mode, ${visible(best.backend)} gains most: ${times(best.times)} at ${whole(best.size)} ${page.unit}. ${
    slower.length ? `${listed(slower)} ${slower.length === 1 ? "is" : "are"} slower than eager at some size.` : "No compiler is slower than eager at any size measured."}`;
}

/** Whether any error is more than chance allows. */
export function error(page, rows) {
  const far = rows.filter((row) => row.z > 3);
  const names = [...new Set(far.map((row) => visible(row.backend)))];
  const shared = most(rows, "same");
  const same = shared?.same > 2 ? ` ${whole(shared.same)} backends have the same error to the last digit: they count the same points.` : "";
  return `${far.length ? `${listed(names)} ${names.length === 1 ? "has" : "have"} an error above three standard errors.` : "No error is above three standard errors: none of these differences is the compiler’s."}${same}`;
}

/** The seed's claim, judged where the rows are made; the page only shows the words. */
export function tradeoff(page) {
  return page.data.claim ? visible(page.data.claim) : null;
}

/** Whose first call is slowest, and what a cache saves of it. */
export function lives(page, rows) {
  const life = (name) => rows.filter((row) => row.life === name);
  const slowest = most(compiled(life("cold")), "seconds");
  if (!slowest) return null;
  const cached = life("cached").find((row) => row.backend === slowest.backend);
  const saved = life("cached").map((row) => ({ ...row, kept: row.seconds / (life("cold").find((cold) => cold.backend === row.backend)?.seconds ?? NaN) })).filter((row) => row.kept > 0);
  const best = least(saved, "kept");
  return [
    `${visible(slowest.backend)} has the slowest first call, ${time(slowest.seconds)}${cached ? `; with a filled cache ${time(cached.seconds)}` : ""}.`,
    best && best.backend !== slowest.backend ? `A cache helps ${visible(best.backend)} most: its first call then takes ${digits(100 * best.kept, 2)} % of the cold one.` : "",
  ].filter(Boolean).join(" ");
}

/** Which stage takes most of the slowest compilation. */
export function stages(page, rows) {
  const named = rows.filter((row) => row.stage !== "other" && row.stage !== "total");
  const longest = most(named, "total");
  if (!longest) return null;
  const stage = most(named.filter((row) => row.backend === longest.backend), "share");
  const blind = most(rows.filter((row) => row.stage === "other"), "share");
  return [
    `${visible(stage.backend)} compiles longest, ${time(stage.total)}, ${digits(100 * stage.share, 2)} % of it in ${visible(stage.stage)}.`,
    blind?.share > 0.2 ? `${visible(blind.backend)} leaves most unexplained: ${digits(100 * blind.share, 2)} % is in no stage of its own naming.` : "",
  ].filter(Boolean).join(" ");
}

/** The quickest file to build, and the smallest. */
export function aheadOfTime(page, rows) {
  const builds = rows.filter((row) => row.step === "build");
  const [quick, slow] = [least(builds, "seconds"), most(builds, "seconds")];
  if (!quick || quick === slow) return null;
  return `The quickest file to build is ${named(quick)} in ${time(quick.seconds)}, the slowest ${named(slow)} in ${time(slow.seconds)}.`;
}

/** Who pays off first against NumPy, and who never does, at the largest size that has the most of them. */
export function breakEven(page, rows) {
  const over = rows.filter((row) => row.over === "numpy");
  const count = (size) => over.filter((row) => row.size === size).length;
  const size = over.map((row) => row.size).reduce((best, next) => (count(next) > count(best) || (count(next) === count(best) && next > best) ? next : best), 0);
  const there = over.filter((row) => row.size === size);
  const first = least(there.filter((row) => typeof row.calls === "number"), "calls");
  const never = there.filter((row) => row.verdict === "never").map((row) => visible(row.backend));
  if (!first && !never.length) return null;
  return [
    first ? `At ${whole(size)} ${page.unit}, ${visible(first.backend)} has paid for itself against NumPy after ${whole(first.calls)} call${first.calls === 1 ? "" : "s"}.` : "",
    never.length ? `${listed(never)} never ${never.length === 1 ? "does" : "do"}${first ? "" : ` at ${whole(size)} ${page.unit}`}.` : "",
  ].filter(Boolean).join(" ");
}

/** Graph breaks, where there are any. */
export function counts(page, rows) {
  const breaks = rows.filter((row) => row.count === "graph breaks");
  const broken = breaks.filter((row) => row.value > 0);
  if (!breaks.length) return null;
  return broken.length ? `Graph breaks: ${listed(broken.map((row) => `${whole(row.value)} in ${visible(row.backend)}`))}.` : "No graph breaks.";
}

function named(row) {
  return `${visible(row.backend)}’s ${visible(row.form).replaceAll("_", " ")}`;
}

function least(rows, key) {
  return rows.reduce((best, row) => (best && best[key] <= row[key] ? best : row), undefined);
}

function most(rows, key) {
  return rows.reduce((best, row) => (best && best[key] >= row[key] ? best : row), undefined);
}
