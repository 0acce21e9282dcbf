// The answer in words: what the compiler's releases changed for one kernel.

import { visible } from "../parts/dom.js";
import { counted, day, listed, whole } from "../parts/format.js";
import { atLargestSize } from "../frame/cases.js";
import { becameWords, isApart, isLarge, LARGE, logDistance, range, slower } from "../frame/verdict.js";
import { closureWords } from "./closure.js";
import { percentApart, ratioBetween } from "./ratios.js";
import { atWords } from "./steps.js";

const AT_ONCE = 3; // steps in the headline

/** {headline, lede: sentences} of the page's kernel. */
export function answer(page) {
  const warm = atLargestSize(page, "warm_seconds");
  const compiled = foremost(page, warm.filter((one) => page.isJit(one.backend)));
  const stepped = compiled.find((one) => one.steps.some(isLarge));
  const main = stepped ?? [...compiled, ...warm].find((one) => wholeChange(page, one)) ?? compiled[0] ?? warm[0];
  const change = main && wholeChange(page, main);
  const large = main ? main.steps.filter(isLarge) : [];
  return {
    headline: change ? headline(page, main, large) : nothing(page, main),
    lede: [
      change && main.in_duets && asAWhole(change, large.length > 0),
      main && newer(page, main),
      ...others(page, main, change, warm),
      steps(page),
      chain(page),
      failures(page),
      withoutCache(page),
    ].filter(Boolean),
  };
}

/** The series with a compiler's last mode first: it has all stages. Those not on one core are less exact and come last. */
function foremost(page, some) {
  const names = [...page.backends.keys()];
  const rank = ({ backend }) => (page.needsThreads(backend) ? -1 : names.indexOf(backend));
  return some.toSorted((one, other) => rank(other) - rank(one));
}

/** The changes of the other warm calls and of first calls in duets. whole: the change of the main one. */
function others(page, main, whole, warm) {
  const rest = Map.groupBy(warm.filter((one) => one !== main), ({ size }) => size);
  const name = (size) => (size === main.size ? "The same call" : `A warm call${page.atSize(size)}`);
  const first = atLargestSize(page, "cold_seconds");
  return [
    ...[...rest].flatMap(([size, some]) => became(page, whole, name(size), some)),
    ...became(page, whole, "The first call", first),
  ];
}

/** {from, to}: a series' oldest and newest point; in duets with {factor, low, high}. Null for a single value. */
function wholeChange(page, one) {
  const [from, to] = [one.points[0], one.points.at(-1)];
  if (one.points.length < 2 || !from.value) return null;
  const ratio = one.in_duets ? ratioOf(page.ladder.duets, page.kernel, one, from, to) : {};
  return { from, to, ...ratio };
}

/** The ratio that "Compare two releases" has of a series. */
function ratioOf({ cases, between_days: days }, { name }, { backend, size, figure }, from, to) {
  const { links } = cases.find((one) => one.kernel === name && one.backend === backend && one.size === size && one.figure === figure);
  return ratioBetween(links, from.order, to.order, days);
}

/** The largest steps of a series and their releases; or that there is none, and what could hide one. */
function headline(page, one, large) {
  const call = `warm call of ${page.kernelName}${page.atSize(one.size)} ${on(one)}`;
  if (!large.length) return none(page, one, call);
  const shown = large.toSorted((one, other) => logDistance(other.factor) - logDistance(one.factor)).slice(0, AT_ONCE);
  const words = large.filter((step) => shown.includes(step)).map((step, place) => since(page, step, place));
  const left = large.length - words.length;
  const more = left ? `; ${counted(left, "smaller steps")} ${left === 1 ? "is" : "are"} in the table below` : "";
  return `A ${call} became ${listed(words)}${more}.`;
}

/** "1.21× slower with jax 0.4.33 (2024-09-16)"; only the first has the compiler's name. */
function since(page, step, place) {
  const published = day(page.release(step.to)?.published);
  return `${slower(step.factor)} ${atWords(page, step, place ? "" : `${page.compiler} `)}${published ? ` (${published})` : ""}`;
}

function none(page, { points, scatter, in_duets: inDuets }, call) {
  const measured = `A ${call} was measured with ${counted(points.length, "releases")} at different hours`;
  if (!inDuets) return `${measured}: such seconds are not compared.`;
  const span = `from ${page.compiler} ${visible(points[0].release)} to ${visible(points.at(-1).release)}`;
  const hidden = percentApart(Math.max(LARGE, scatter ?? 1));
  return `No step was found in a ${call}, ${span}. A step of less than ${hidden} could be hidden.`;
}

/** The newest release against the oldest. */
function asAWhole(change, hasSteps) {
  const span = `From ${visible(change.from.release)} to ${visible(change.to.release)} as a whole, it`;
  if (hasSteps) return `${span} ${becameWords(change)}.`;
  if (!isApart(change)) return `${span} shows no clear difference.`;
  return `${span} ${becameWords(change)}, in changes too small to be steps.`;
}

/** The measured releases after a series' newest one. */
function newer(page, { points }) {
  const last = points.at(-1).order;
  const without = page.ladder.releases.filter(({ status, order }) => status === "ok" && order > last);
  const names = listed(without.map(({ release }) => visible(release)));
  return names && `With ${names} this call has no number: see the last section.`;
}

/** How the releases were compared, and how far the chain of ratios is from the duets of distant releases. */
function chain(page) {
  const { duets } = page.ladder;
  if (!duets) return null;
  const links = duets.cases.flatMap((one) => one.links);
  const pairs = new Set(links.map(({ from, to }) => `${from} ${to}`)).size;
  const neighbours = new Set(links.map(({ to }) => to)).size;
  const remark = duets.remark ? ` ${visible(duets.remark)}` : "";
  const how = `Each release of a curve was compared with the next older one, in ${counted(neighbours, "duets")}.${remark}`;
  if (!duets.closures.length) return how;
  const checks = `The chain was checked by ${counted(pairs - neighbours, "duets")} of releases further apart.`;
  return `${how} ${checks} ${closureWords(page, duets.closures)}.`;
}

function nothing(page, one) {
  const had = one ? `only with ${visible(one.points[0]?.release)}` : "with none of the releases";
  return `${page.kernelName} has a warm call ${had}: nothing can be compared.`;
}

/** A sentence for each series in duets that changed, and one for all others. Each has its releases, unless they are those of
 * ``whole``. */
function became(page, whole, what, some) {
  const inDuets = some.filter((one) => one.in_duets);
  const changes = inDuets.map((one) => [on(one), wholeChange(page, one)]).filter(([, change]) => change);
  const same = changes.filter(([, change]) => !isApart(change));
  const span = ({ from, to }) =>
    from.order === whole?.from.order && to.order === whole.to.order ? "" : ` (from ${visible(from.release)} to ${visible(to.release)})`;
  const words = listed(same.map(([where, change]) => where + span(change)));
  const [low, high] = [Math.min(...same.map(([, change]) => change.low)), Math.max(...same.map(([, change]) => change.high))];
  const apart = changes.filter(([, change]) => isApart(change));
  return [
    ...apart.map(([where, change]) => `${what} ${where}${span(change)} ${becameWords(change)}.`),
    same.length ? `${what} did not change measurably ${words}: ${range(low, high)} of the time.` : "",
  ];
}

function on({ backend, interpreted }) {
  return `on ${interpreted ? "interpreted " : ""}${visible(backend)}`;
}

function steps(page) {
  const large = page.ladder.steps.filter(isLarge);
  const timed = large.filter(({ unit, exact }) => unit === "seconds" && !exact);
  const own = timed.filter(({ kernel }) => kernel === page.kernel.name);
  const others = large.length - timed.length;
  const exact = others ? ` Counts and errors changed ${counted(others, "times")}.` : "";
  if (!page.ladder.duets) return exact.trim();
  if (!timed.length) return `No step of 5\u00a0% or more was found in any kernel’s time.${exact}`;
  const share = own.length ? whole(own.length) : "none";
  const are = timed.length === 1 ? "is" : "are";
  return `Over all kernels there ${are} ${counted(timed.length, "steps")} in time of 5\u00a0% or more, ${share} of them with ${
    page.kernelName
  }.${exact}`;
}

function failures(page) {
  const { releases, versions } = page.ladder;
  const failed = releases.filter(({ status }) => status !== "ok").map(({ release }) => visible(release));
  const measured = `${whole(releases.length - failed.length)} of ${counted(versions.length, "releases")} were measured.`;
  return failed.length ? `${measured} ${listed(failed)} could not be measured.` : measured;
}

/** How many releases were measured without the disk cache; their names are in the last section. */
function withoutCache(page) {
  const points = page.data.series.flatMap((one) => one.points.filter(({ afresh }) => afresh));
  const count = new Set(points.map(({ release }) => release)).size;
  if (!count) return null;
  const were = `${counted(count, "releases")} ${count === 1 ? "was" : "were"} measured without the compiler’s disk cache`;
  return `${were}, because an answer with the cache was wrong or missing: see the last section.`;
}
