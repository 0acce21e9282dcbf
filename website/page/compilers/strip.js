// The drawing in the ranked table: one logarithmic scale for all rows, a mark at the median, a bar over the quartiles.

import { svgElement, unseen } from "../parts/dom.js";
import { isNumber, SECONDS, whole } from "../parts/format.js";
import { mark } from "../parts/symbols.js";

const WIDTH = 108; // pixels
const EDGE = 8; // pixels left free for half a mark
const LABEL = 48; // pixels between two labels, "1 ms" in its middle and "10 ms" at its end

/** A scale over all the entries' times, with a tick at each power of ten; null if there are none. */
export function logarithmic(entries) {
  const values = entries
    .flatMap(({ low, seconds, high }) => [low, seconds, high])
    .filter((value) => isNumber(value) && value > 0);
  if (!values.length) return null;
  const [least, most] = [Math.log10(Math.min(...values)), Math.log10(Math.max(...values))];
  const from = Math.min(least, most - 1);
  const x = (value) => EDGE + ((Math.log10(value) - from) / (most - from)) * (WIDTH - 2 * EDGE);
  const ticks = [];
  for (let power = Math.ceil(from - 1e-9); power <= most + 1e-9; power++) ticks.push(10 ** power);
  return { x: (value) => Math.max(EDGE, x(value)), ticks };
}

/** The drawing of one entry; `look`: its backend's colour and shape. */
export function strip({ low, seconds, high, interpreted }, { colour, shape }, scale) {
  const [left, right] = [scale.x(low ?? seconds), scale.x(high ?? seconds)];
  const bar = { x1: left, x2: Math.max(right, left + 1), stroke: colour, "stroke-width": 8, opacity: 0.35 };
  return drawing(
    18,
    scale.ticks.map((tick) => svgElement("line", { x1: scale.x(tick), x2: scale.x(tick), y1: 0, y2: 18, class: "tick" })),
    svgElement("line", { x1: EDGE, x2: scale.x(seconds), y1: 9, y2: 9, class: "lead" }),
    svgElement("line", { ...bar, y1: 9, y2: 9 }),
    mark(shape, colour, { x: scale.x(seconds), y: 9, hollow: interpreted }),
  );
}

/** The scale's ticks in words, two of them at most, and one where two would touch. */
export function axis(scale) {
  const step = Math.ceil(scale.ticks.length / 2);
  const [first, ...others] = scale.ticks.filter((_, place) => place % step === 0);
  const shown = [first, ...others.filter((tick) => scale.x(tick) - scale.x(first) > LABEL)];
  const anchor = (x) => (x < 20 ? "start" : x > WIDTH - 24 ? "end" : "middle");
  return [
    unseen("Drawn"),
    drawing(
      14,
      shown.map((tick) => svgElement("text", { x: scale.x(tick), y: 11, "text-anchor": anchor(scale.x(tick)) }, power(tick))),
    ),
  ];
}

function drawing(height, ...children) {
  const size = { viewBox: `0 0 ${WIDTH} ${height}`, width: WIDTH, height };
  return svgElement("svg", { ...size, "aria-hidden": "true" }, children);
}

/** "10 ms", of a power of ten. */
function power(seconds) {
  const [factor, unit] = SECONDS.find(([factor]) => seconds >= factor * 0.999) ?? SECONDS.at(-1);
  return `${whole(seconds / factor)} ${unit}`;
}
