// The cases without a number, by the reason.

import { element, foreign } from "../parts/dom.js";

/**
 * The list as an element; gaps: {reason, what: the case without a number, place: the commit or release}.
 *
 * words(places): the commits or releases of a case in words.
 */
export function reasonsList(gaps, words = (places) => places.join(", ")) {
  const byReason = Map.groupBy(gaps, ({ reason }) => reason);
  const caseNode = ([what, same]) => element("dd", {}, `${what}: `, foreign(words(same.map(({ place }) => place))));
  const cases = (own) => [...Map.groupBy(own, ({ what }) => what)].map(caseNode);
  const entries = [...byReason].map(([reason, own]) => [element("dt", {}, foreign(reason)), cases(own)]);
  return element("dl", { class: "without" }, entries);
}
