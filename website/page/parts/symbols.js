// A backend's symbol: the colour of its framework, the dash and the shape of its mode, as in the charts.

import { svgElement } from "./dom.js";

const SHAPES = {
  // around (0, 0), as Vega draws them
  circle: "M-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0Z",
  square: "M-3.6,-3.6h7.2v7.2h-7.2Z",
  diamond: "M0,-5L4.2,0L0,5L-4.2,0Z",
  cross: "M-4.4,-1.5h2.9v-2.9h3v2.9h2.9v3h-2.9v2.9h-3v-2.9h-2.9Z",
  "triangle-up": "M0,-4.4L4.4,3.4H-4.4Z",
  "triangle-down": "M0,4.4L4.4,-3.4H-4.4Z",
  "triangle-right": "M4.4,0L-3.4,4.4V-4.4Z",
  "triangle-left": "M-4.4,0L3.4,4.4V-4.4Z",
  stroke: "M-4.4,-1h8.8v2h-8.8Z",
};

/** A backend's line with its mark on it; `look` is {colour, dash, shape}. */
export function symbol({ colour, dash, shape }) {
  return svgElement(
    "svg",
    { viewBox: "-17 -6 34 12", width: 34, height: 12, class: "symbol", "aria-hidden": "true" },
    svgElement("line", {
      x1: -17,
      x2: 17,
      y1: 0,
      y2: 0,
      stroke: colour,
      "stroke-width": 2,
      "stroke-dasharray": dash?.length && dash[1] ? dash.join(" ") : null,
    }),
    mark(shape, colour),
  );
}

/** A backend's mark alone, for a drawing; hollow for an interpreted time. */
export function mark(shape, colour, { x = 0, y = 0, hollow = false } = {}) {
  return svgElement("path", {
    d: SHAPES[shape] ?? SHAPES.circle,
    transform: `translate(${x} ${y})`,
    fill: hollow ? "none" : colour,
    stroke: colour,
    "stroke-width": hollow ? 1.5 : 0.5,
  });
}
