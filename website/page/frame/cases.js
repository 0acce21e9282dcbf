// A benchmark case in words, and its series in a kernel's file of a history.

import { visible } from "../parts/dom.js";

/** A figure's name in words: "warm call", "stage LLVM". */
export function figureWords(figure) {
  const [family, ...rest] = visible(figure).split(".");
  const name = rest.join(".").replaceAll("_", " ");
  if (figure === "Instructions.track_count") return "instructions of a call";
  const plain = { warm_seconds: "warm call", cold_seconds: "first call" };
  const known = { ...plain, stages: `stage ${name}`, counts: `count of ${name}` };
  return known[family] ?? [family.replaceAll("_", " "), name].filter(Boolean).join(", ");
}

/** "numba, warm call at 1,000 points"; a row without a kernel is of the page's kernel. */
export function caseWords(page, { backend, figure, size, kernel }) {
  return `${visible(backend)}, ${figureWords(figure)}${page.atSize(size, kernel)}`;
}

/** The series of a case; size: a number, or its text in the address. */
export function seriesOf({ series }, backend, size, figure) {
  return series.find((one) => one.backend === backend && String(one.size) === String(size) && one.figure === figure);
}

/** Each backend's series of a figure at the largest size, from duets if there are any. */
export function atLargestSize(page, figure) {
  const all = page.data.series.filter((one) => one.figure === figure);
  const own = all.some((one) => one.in_duets) ? all.filter((one) => one.in_duets) : all;
  const best = new Map();
  for (const one of own) if ((best.get(one.backend)?.size ?? -1) < (one.size ?? 0)) best.set(one.backend, one);
  return [...best.values()];
}
