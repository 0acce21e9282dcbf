// What is known beside a step: the part that carries it, and how what is compiled differs.

import { element, foreign, visible } from "../parts/dom.js";
import { digits, listed, whole } from "../parts/format.js";
import { isApart } from "../frame/verdict.js";

const CARRIES = 0.8; // of a step's logarithm: more is the step, as far as a duet can tell
const SOME = 0.3;

/** The step's part in words: "llvmlite 0.44.0"; "" where nothing is known. */
export function carriedBy(page, { duet }) {
  if (!duet) return "";
  const differing = differ(page, duet);
  if (differing.length === 1) return `${visible(differing[0])}, which alone differs`;
  const { parts } = duet;
  const measured = parts.filter(({ ratio }) => ratio !== null);
  const most = measured.reduce((best, part) => (part.share > (best?.share ?? 0) ? part : best), null);
  if (most && isApart(most) && most.share >= CARRIES) return nameOf(most);
  if (most && isApart(most) && most.share >= SOME) return `${percent(most.share)} of it ${nameOf(most)}`;
  if (!parts.length) return "";
  if (!measured.length) return "no part can be exchanged alone";
  const names = (some) => listed(some.map(({ part }) => visible(part)));
  const stuck = parts.filter((part) => part.ratio === null && !part.is_switch);
  return `not by ${names(measured)}${stuck.length ? `; ${names(stuck)} can’t be exchanged alone` : ""}`;
}

/** The packages that differ between the two environments. */
function differ(page, { before, after }) {
  const [older, newer] = [before, after].map((place) => page.ladder.sources[place].requirements);
  return Object.keys(newer).filter((name) => older[name] !== newer[name]);
}

function nameOf({ part, version, is_switch: isSwitch }) {
  return isSwitch ? `${visible(part)}, which ${visible(version)} turns off` : `${visible(part)} ${visible(version)}`;
}

function percent(share) {
  return `${Math.round(100 * share)}\u00a0%`;
}

/** The nodes of all parts: each with its ratio, or the reason why there is none; null without any. */
export function partsList({ parts }) {
  if (!parts.length) return null;
  const words = ({ ratio, low, high, reason }) =>
    ratio === null ? visible(reason) : `${digits(ratio)} (${digits(low)} to ${digits(high)})`;
  return element(
    "ul",
    { class: "plain" },
    parts.map((part) => element("li", {}, `${nameOf(part)}: ${words(part)}`)),
  );
}

/** "widest_vector_bits 256, then 512" of the counts that differ; "" where none does. */
export function countWords(artifacts) {
  const known = (value) => (value === null ? "none" : whole(value));
  const differing = (artifacts?.counts ?? []).filter(({ before, after }) => before !== after);
  return differing.map(({ name, before, after }) => `${visible(name)} ${known(before)}, then ${known(after)}`).join("; ");
}

/** The nodes of the texts that differ, folded; null where none was compared. */
export function differenceOf(artifacts) {
  if (!artifacts?.stages.length) return null;
  const counts = ({ before, after }) => (before || after ? `${whole(before)} lines, then ${whole(after)}` : "the same");
  const lines = artifacts.stages.map((stage) => `${visible(stage.name)}: ${counts(stage)}`);
  const { stage, text, left_out: left } = artifacts;
  const rest = left ? `\n… and ${whole(left)} characters more` : "";
  return [
    element("span", {}, `Lines that only one of both has. ${lines.join("; ")}.`),
    stage
      ? element(
          "details",
          {},
          element("summary", {}, "What differs in ", foreign(stage)),
          element("pre", { tabindex: "0" }, visible(text) + rest),
        )
      : null,
  ];
}
