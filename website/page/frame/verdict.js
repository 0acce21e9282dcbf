// A change in words: slower, faster, more or less, and its colour: better or worse.

import { element, visible } from "../parts/dom.js";
import { digits, times } from "../parts/format.js";

export const LARGE = 1.05; // times; smaller steps do not count

/** "1.21× slower", in the colour of better or worse. */
export function verdict({ factor, before, after, unit, direction }) {
  const more = after > before;
  const isBetter = direction === "equal" ? null : more === (direction === "higher");
  const word =
    direction === "equal" ? "changed" : unit === "seconds" ? (more ? "slower" : "faster") : more ? "more" : "less";
  const size = factor && word !== "changed" ? `${digits(more ? factor : 1 / factor)}× ` : "";
  return element("b", { class: isBetter === null ? null : isBetter ? "better" : "worse" }, size, word);
}

/** "1.18 to 1.25", the interval of that factor; "" if it is not known. */
export function interval({ factor, low, high }) {
  if (typeof low !== "number" || typeof high !== "number") return "";
  const [least, most] = factor > 1 ? [low, high] : [1 / high, 1 / low];
  return `${digits(least)} to ${digits(most)}`;
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
export function far(factor) {
  return Math.abs(Math.log(factor));
}

/** "became 1.21× slower (1.18 to 1.25)", or that it did not change measurably. */
export function inWords(change) {
  const { factor, low, high } = change;
  if (!isApart(change)) return `did not change measurably (${digits(low)} to ${digits(high)} of the time)`;
  const range = interval(change);
  return `became ${slower(factor)}${range ? ` (${range})` : ""}`;
}

/** Each backend's series of a figure at the largest size, from duets if there are any. */
export function largest(page, figure) {
  const all = page.data.series.filter((one) => one.figure === figure);
  const own = all.some((one) => one.in_duets) ? all.filter((one) => one.in_duets) : all;
  const best = new Map();
  for (const one of own) if ((best.get(one.backend)?.size ?? -1) < (one.size ?? 0)) best.set(one.backend, one);
  return [...best.values()];
}

/** True for a step of 5 % or more, and for a step of an exact figure. */
export function isLarge({ exact, factor }) {
  return exact || factor === null || factor >= LARGE || factor <= 1 / LARGE;
}

/** A figure's name in words: "warm call", "stage LLVM". */
export function figureWords(figure) {
  const [family, ...rest] = visible(figure).split(".");
  const name = rest.join(".").replaceAll("_", " ");
  const plain = { warm_seconds: "warm call", cold_seconds: "first call" };
  const known = { ...plain, stages: `stage ${name}`, counts: `count of ${name}` };
  return known[family] ?? [family.replaceAll("_", " "), name].filter(Boolean).join(", ");
}

/** "numba, warm call at 1,000 points"; a row without a kernel is of the page's kernel. */
export function caseWords(page, { backend, figure, size, kernel }) {
  return `${visible(backend)}, ${figureWords(figure)}${page.atSize(size, kernel)}`;
}
