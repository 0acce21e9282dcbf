// The answer: what changed from the oldest release to the newest, and at which releases.

import { element } from "./dom.js";
import { answer } from "./releases_sentence.js";
import { stepsView } from "./releases_steps.js";

/** The nodes of the answer. */
export function answerView(page) {
  const { headline, lede } = answer(page);
  return [
    element("p", { class: "answer" }, headline),
    element("p", { class: "lede" }, lede.join(" ")),
    stepsView(page),
  ];
}
