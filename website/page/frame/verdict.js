// A change in words: slower, faster, more or less, and its colour: better or worse.

import { element } from "../parts/dom.js";
import { digits, isNumber, times } from "../parts/format.js";

export const LARGE = 1.05; // times; smaller steps do not count

/** "1.21× slower", in the colour of better or worse. */
export function verdict({ factor, before, after, unit, direction }) {
  const more = factor ? factor > 1 : after > before; // medians can differ in the other direction
  const isNeither = direction === "equal" || direction === "any";
  const isBetter = isNeither ? null : more === (direction === "higher");
  const word = isNeither ? "changed" : unit === "seconds" ? (more ? "slower" : "faster") : more ? "more" : "less";
  const size = more ? factor : 1 / factor;
  const words = factor && word !== "changed" ? `${size < LARGE ? Number(size.toPrecision(4)) : digits(size)}× ` : "";
  return element("b", { class: isBetter === null ? null : isBetter ? "better" : "worse" }, words, word);
}

/** "1.18 to 1.25", the interval of that factor; "" if it is not known. */
export function interval({ factor, low, high }) {
  if (!isNumber(low) || !isNumber(high)) return "";
  return factor > 1 ? range(low, high) : range(1 / high, 1 / low);
}

/** "1.18 to 1.25". An end near 1 has as many digits as show on which side of 1 it is. */
export function range(low, high) {
  const needed = (ratio) => (ratio === 1 ? 3 : 1 - Math.floor(Math.log10(Math.abs(ratio - 1))));
  const end = (ratio) => digits(ratio, Math.min(6, Math.max(3, needed(ratio))));
  return `${end(low)} to ${end(high)}`;
}

/** True if the interval of a factor excludes 1, or is not known. */
export function isApart({ low, high }) {
  return low === null || low > 1 || high < 1;
}

/** "1.21× slower", of a factor of seconds. */
export function slower(factor) {
  return `${times(Math.max(factor, 1 / factor))} ${factor > 1 ? "slower" : "faster"}`;
}

/** How far a factor is from 1, as a logarithm. */
export function logDistance(factor) {
  return Math.abs(Math.log(factor));
}

/** "became 1.21× slower (1.18 to 1.25)", or that it did not change measurably. */
export function becameWords(change) {
  const { factor, low, high } = change;
  if (!isApart(change)) return `did not change measurably (${range(low, high)} of the time)`;
  const words = interval(change);
  return `became ${slower(factor)}${words ? ` (${words})` : ""}`;
}

/** A change in words. An interval that holds 1 and a change of 5 % is no proof that nothing changed. */
export function changeWords(span) {
  const { factor, low, high } = span;
  const change = verdict({ ...span, before: 1, after: factor, unit: "seconds", direction: "lower" });
  if (isApart(span)) return isLarge(span) ? change : change.textContent;
  return low > 1 / LARGE && high < LARGE ? "no difference" : "can’t tell";
}

/** True for a step of 5 % or more, and for a step of an exact figure. */
export function isLarge({ exact, factor }) {
  return exact || factor === null || factor >= LARGE || factor <= 1 / LARGE;
}
