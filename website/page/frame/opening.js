// What each page does first: read what there is, and say so where there is nothing.

import { load, loadData } from "./data.js";
import { element, sentence, visible } from "../parts/dom.js";
import { State } from "./state.js";
import { Tip } from "../parts/tip.js";

/**
 * What a page is made of; null, after it was said, where there is no index.
 *
 * charts: the file that describes this page's charts; how: what brings data.
 */
export async function opened(charts, how) {
  at("unserved").remove();
  const none = { backends: {}, charts: {} };
  const looks = load(charts).catch(() => none); // the numbers need neither colours nor charts
  let index;
  try {
    index = await loadData("data/index.json");
  } catch (error) {
    say(`${error.message} If nothing has been measured yet: ${how}`);
    return null;
  }
  footer(index);
  return { index, state: new State(window), tip: new Tip(at("tip")), looks: await looks };
}

/** Say one thing above everything. */
export function say(text) {
  at("message").replaceChildren(...sentence(text));
  at("message").hidden = !text;
}

function footer(index) {
  at("history").parentNode.hidden = !index.history;
  at("generated").textContent = index.generated ? `Written ${visible(index.generated)}.` : "";
  if (!index.unread?.length) return;
  at("unread").append(
    element("h2", {}, "Stored results that could not be read"),
    element(
      "ul",
      {},
      index.unread.map(({ file, reason }) => element("li", {}, element("code", {}, visible(file)), `: ${visible(reason)}`)),
    ),
  );
}

function at(id) {
  return document.getElementById(id);
}
