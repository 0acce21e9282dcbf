// What a step is, in a word: slower, faster, more, less; and whether that is wanted.

import { element } from "../parts/dom.js";
import { digits } from "../parts/format.js";

/** "1.21× slower"; the colour says whether that is wanted. */
export function verdict({ factor, before, after, unit, direction }) {
  const more = after > before;
  const wanted = direction === "equal" ? null : more === (direction === "higher");
  const word =
    direction === "equal" ? "changed" : unit === "seconds" ? (more ? "slower" : "faster") : more ? "more" : "less";
  const size = factor && word !== "changed" ? `${digits(more ? factor : 1 / factor)}× ` : "";
  return element("b", { class: wanted === null ? null : wanted ? "better" : "worse" }, size, word);
}
