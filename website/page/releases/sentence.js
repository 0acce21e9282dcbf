// The answer in words: what the compiler's releases changed for one kernel.

import { visible } from "../parts/dom.js";
import { listed, seconds, whole } from "../parts/format.js";
import { inWords, isLarge, largest } from "../frame/verdict.js";

/** {headline, lede: sentences} of the page's kernel. */
export function answer(page) {
  const warm = largest(page, "warm_seconds");
  const interpreted = new Set(warm.filter((one) => one.interpreted).map((one) => one.backend));
  const main = warm.find((one) => page.isJit(one.backend)) ?? warm[0];
  const change = main && wholeChange(main);
  return {
    headline: change ? headline(page, main, change) : nothing(page, main),
    lede: [
      change && extremes(main),
      ...warm.filter((one) => one !== main).map((one) => becameSentence("The same call", one)),
      ...largest(page, "cold_seconds").map((one) => becameSentence("The first call", one)),
      ...largest(page, "stages.total")
        .filter((one) => interpreted.has(one.backend))
        .map((one) => becameSentence("Compiling it, all stages,", one)),
      steps(page),
      failures(page),
    ].filter(Boolean),
  };
}

/** {from, to, factor, low, high} of a series' newest value over its oldest; null for a single value. */
function wholeChange({ points }) {
  const [from, to] = [points[0], points.at(-1)];
  if (points.length < 2 || !from.value) return null;
  const known = [from.low, from.high, to.low, to.high].every(Boolean);
  return {
    from,
    to,
    factor: to.value / from.value,
    low: known ? to.low / from.high : null,
    high: known ? to.high / from.low : null,
  };
}

function headline(page, one, change) {
  const span = `From ${page.compiler} ${visible(change.from.release)} to ${visible(change.to.release)}`;
  return `${span}, a warm call of ${page.kernelName}${page.atSize(one.size)} ${on(one)} ${inWords(change)}.`;
}

/** The fastest and the slowest release, which may be neither the oldest nor the newest. */
function extremes({ points }) {
  const by = (sign) => points.reduce((best, point) => (sign * point.value < sign * best.value ? point : best));
  const [least, most] = [by(1), by(-1)];
  const withSeconds = ({ release, value }) => `${visible(release)} (${seconds(value)})`;
  return `It was fastest with ${withSeconds(least)} and slowest with ${withSeconds(most)}.`;
}

function nothing(page, one) {
  const had = one ? `only with ${visible(one.points[0]?.release)}` : "with none of the releases";
  return `${page.kernelName} has a warm call ${had}: nothing can be compared.`;
}

function becameSentence(what, one) {
  const change = wholeChange(one);
  return change && `${what} ${on(one)} ${inWords(change)}.`;
}

function on({ backend, interpreted }) {
  return `on ${visible(backend)}${interpreted ? ", interpreted," : ""}`;
}

function steps(page) {
  const large = page.ladder.steps.filter(isLarge);
  const timed = large.filter(({ unit, exact }) => unit === "seconds" && !exact);
  const own = timed.filter(({ kernel }) => kernel === page.kernel.name);
  const others = large.length - timed.length;
  const count = (number, word) => `${whole(number)} ${word}${number === 1 ? "" : "s"}`;
  const exact = others ? ` Counts and errors changed ${count(others, "time")}.` : "";
  if (!timed.length) return `No step of 5\u00a0% or more was found in any kernel’s time.${exact}`;
  const share = own.length ? whole(own.length) : "none";
  return `Over all kernels there are ${count(timed.length, "step")} in time of 5\u00a0% or more, ${share} of them with ${
    page.kernelName
  }.${exact}`;
}

function failures(page) {
  const failed = page.ladder.releases.filter(({ status }) => status !== "ok").map(({ release }) => visible(release));
  return failed.length ? `${listed(failed)} could not be measured.` : "Every release could be measured.";
}
