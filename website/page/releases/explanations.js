// The explanation of a step: the part that carries it, and how compiled code differs.

import { element, foreign, list, visible } from "../parts/dom.js";
import { digits, listed, percent, whole } from "../parts/format.js";
import { isApart, range } from "../frame/verdict.js";
import { ratioBetween } from "./ratios.js";

const CARRIES = 0.8; // share of a step's logarithm: a duet can't tell a larger share from the whole step
const SOME = 0.3;
const TOO_MUCH = 2; // a switch that changes more than twice the step: both releases have most of what it turns off
const EXAMINED = 1.1; // times; `make release-parts` examines no smaller steps
export const COLD = "Cold caches: an answer was checked before each call, so with warm caches the ratio can differ.";
const CODE = [ // counts of machine code that a table's row has, by the compilers' names
  [["widest_vector_bits"], "vector bits"],
  [["assembly_instructions", "machine_instructions", "sass_instructions", "instructions"], "instructions"],
];

/** The step's part in words: "llvmlite 0.44.0"; "" if nothing is known. */
export function carriedBy(page, step) {
  const { duet, factor } = step;
  if (!duet) return "";
  const { parts } = duet;
  const measured = parts.filter(({ ratio }) => ratio !== null);
  const most = carrier(duet);
  if (most) return most.share >= CARRIES ? nameOf(most) : `${percent(most.share)} of it ${nameOf(most)}`;
  if (isOfLLVM(duet)) return "perhaps LLVM: from the same input it makes other code";
  const carried = carriedAtOtherSize(page, step);
  if (carried) return carried;
  const differing = differ(page, duet);
  if (differing.length === 1) return `${visible(differing[0])}, the only pinned package that differs`;
  if (!measured.length && !isExamined(factor)) return ""; // the parts are of the releases' larger steps
  // A switch shows what the newer release has of a part. The older one may have another form of it, so that excludes nothing.
  const excluded = measured.filter((part) => !part.is_switch && mostShare(part, factor) < SOME);
  const unclear = measured.filter((part) => !excluded.includes(part));
  const [off, stuck] = [true, false].map((is) => parts.filter((part) => part.ratio === null && part.is_switch === is));
  const names = (some) => listed(some.map(({ part }) => visible(part)));
  return [
    excluded.length && `not by ${names(excluded)}`,
    unclear.length && `can’t tell for ${names(unclear)}`,
    stuck.length && `${names(stuck)} could not be swapped alone`,
    off.length && `${names(off)} could not be turned off`,
  ]
    .filter(Boolean)
    .join("; ");
}

/** "at 20 rows: llvmlite 0.44.0", what carries the same change at another size; "" if nothing is known or it was tried here. */
function carriedAtOtherSize(page, { duet, factor, ...step }) {
  if (duet.parts.some(({ ratio }) => ratio !== null)) return "";
  const isSame = (one) => ["kernel", "backend", "figure", "from", "to"].every((key) => one[key] === step[key]);
  const isLike = (one) => isSame(one) && one.size !== step.size && one.factor > 1 === factor > 1;
  const found = page.ladder.steps.find((one) => one.duet && carrier(one.duet) && isLike(one));
  return found ? `${page.atSize(found.size, found.kernel).trim()}: ${carriedBy(page, found)}` : "";
}

/** The part with the largest share of a step; null if none is known to have SOME. */
function carrier({ parts }) {
  const candidates = parts.filter(({ ratio, share, is_switch: isSwitch }) => ratio !== null && !(isSwitch && share > TOO_MUCH));
  const most = candidates.reduce((best, part) => (part.share > (best?.share ?? 0) ? part : best), null);
  return most && isApart(most) && most.share >= SOME ? most : null;
}

/** True if a step is so large that `make release-parts` examines it. */
function isExamined(factor) {
  return Math.max(factor, 1 / factor) >= EXAMINED;
}

/** True if LLVM makes other code of the same input. */
function isOfLLVM({ artifacts }) {
  const [input, code] = ["unoptimized_llvm", "llvm"].map((name) => artifacts?.stages.find((stage) => stage.name === name));
  return Boolean(input && code) && input.before + input.after === 0 && code.before + code.after > 0;
}

/** The largest share of a step's logarithm that a part's interval holds. */
function mostShare({ low, high }, factor) {
  return Math.max(...[low, high].map((ratio) => Math.log(ratio) / Math.log(factor)));
}

/** The nodes of what somebody found out about the step, a sentence for each cause. */
export function causeNodes({ duet: { causes } }) {
  const known = (link) => link && [" (", element("a", { href: link, rel: "noreferrer" }, "known"), ")"];
  return causes.map(({ text, link }) => [`Cause: ${visible(text)}`, known(link), "."]);
}

/** {words, command}: the parts that were not tried yet, and what tries them. Null for a step below 10 %, and if its cause is
 * known, or if nothing is left to try. */
export function leftToTry(page, step) {
  const { duet, factor, from, to } = step;
  const isFound = !duet || duet.causes.length || carrier(duet) || isOfLLVM(duet);
  const isKnown = isFound || (!duet.parts.length && differ(page, duet).length < 2);
  if (isKnown || !duet.untried.length || !isExamined(factor)) return null;
  const untried = duet.parts.length ? `not tried yet: ${listed(duet.untried.map(visible))}` : "not examined yet";
  const words = carriedAtOtherSize(page, step) ? "not tried at this size" : untried;
  return { words, command: `make release-parts COMPILER=${visible(page.ladder.compiler)} ONLY=${visible(from)},${visible(to)}` };
}

/** The packages that differ between the two environments. */
function differ(page, { before, after }) {
  const [older, newer] = [before, after].map((place) => page.ladder.sources[place].requirements);
  return Object.keys(newer).filter((name) => older[name] !== newer[name]);
}

function nameOf({ part, version, is_switch: isSwitch }) {
  return isSwitch ? `${visible(part)}, which ${visible(version)} turns off` : `${visible(part)} ${visible(version)}`;
}

/** "at 20 rows: 0.98 (0.95 to 1.02)", the same releases' ratio at each other size of the step's benchmark. */
export function otherSizes(page, { kernel, backend, size, figure, from, to }) {
  const { cases, between_days: days } = page.ladder.duets;
  const [older, newer] = [from, to].map((name) => page.release(name).order);
  const isOther = (one) => one.kernel === kernel && one.backend === backend && one.figure === figure && one.size !== size;
  const words = (one) => {
    const ratio = ratioBetween(one.links, older, newer, days);
    return ratio && `${page.atSize(one.size, kernel).trim()}: ${digits(ratio.factor)} (${range(ratio.low, ratio.high)})`;
  };
  return cases.filter(isOther).map(words).filter(Boolean);
}

/** What else is known of a step's duet: its caches, and notes on its releases. */
export function remarks({ cold, notes }, aboutCaches = COLD) {
  return [...(cold ? [aboutCaches] : []), ...notes.map((note) => `Note: ${visible(note)}.`)];
}

/** The nodes of all parts, each with its ratio or the reason why there is none; null if there are no parts. */
export function partsList({ parts }) {
  return parts.length ? list("plain", parts.map(partWords)) : null;
}

/** "llvmlite 0.44.0: 0.704 (0.668 to 0.739)", or the reason why the part has no ratio. */
export function partWords(part) {
  const { ratio, low, high, reason, suite } = part;
  const by = suite ? `, by commit ${visible(suite)}` : "";
  return `${nameOf(part)}: ${ratio === null ? visible(reason) : `${digits(ratio)} (${range(low, high)})${by}`}`;
}

/** "widest_vector_bits 256, then 512" of the counts that differ; "" if nothing was counted. */
export function countWords(artifacts) {
  const counts = artifacts?.counts ?? [];
  const differing = counts.filter(({ before, after }) => before !== after);
  if (counts.length && !differing.length) return `the same: ${listed(counts.map(({ name }) => visible(name)))}`;
  return differing.map((count) => `${visible(count.name)} ${change(count)}`).join("; ");
}

/** "Compiled code: vector bits 256, then 512; instructions 982 as before"; "" if machine code was not counted. */
export function codeWords(artifacts) {
  const changes = CODE.map(([names, label]) => {
    const count = artifacts?.counts.find(({ name }) => names.includes(name));
    return count && `${label} ${change(count)}`;
  });
  const known = changes.filter(Boolean);
  return known.length ? `Compiled code: ${known.join("; ")}` : "";
}

function change({ before, after }) {
  const known = (value) => (value === null ? "not counted" : whole(value));
  return before === after ? `${known(before)} as before` : `${known(before)}, then ${known(after)}`;
}

/** The nodes of the texts that differ, folded; null if none was compared. */
export function differenceOf(artifacts) {
  if (!artifacts?.stages.length) return null;
  const counts = ({ before, after }) => (before || after ? `${whole(before)} lines, then ${whole(after)}` : "the same");
  const lines = artifacts.stages.map((stage) => `${visible(stage.name)}: ${counts(stage)}`);
  const { stage, text, left_out: left } = artifacts;
  const rest = left ? `\n… and ${whole(left)} characters more` : "";
  const words = element("span", {}, `Lines that only one of the two releases has. ${lines.join("; ")}.`);
  if (!stage) return [words];
  const summary = element("summary", {}, "What differs in ", foreign(stage));
  return [words, element("details", {}, summary, element("pre", { tabindex: "0" }, visible(text) + rest))];
}
