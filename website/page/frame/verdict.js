// A step in words: slower, faster, more or less, and its colour: better or worse.

import { element } from "../parts/dom.js";
import { digits } from "../parts/format.js";

/** "1.21× slower", in the colour of better or worse. */
export function verdict({ factor, before, after, unit, direction }) {
  const more = after > before;
  const isBetter = direction === "equal" ? null : more === (direction === "higher");
  const word =
    direction === "equal" ? "changed" : unit === "seconds" ? (more ? "slower" : "faster") : more ? "more" : "less";
  const size = factor && word !== "changed" ? `${digits(more ? factor : 1 / factor)}× ` : "";
  return element("b", { class: isBetter === null ? null : isBetter ? "better" : "worse" }, size, word);
}
