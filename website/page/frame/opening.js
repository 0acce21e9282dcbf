// The first step of each page: read the index and begin, or show why there is nothing.

import { load, loadData } from "./data.js";
import { element, sentence, visible } from "../parts/dom.js";
import { State } from "./state.js";
import { Tip } from "../parts/tip.js";

/**
 * Begin a page, or show a message where nothing was measured.
 *
 * charts: the file that describes its charts; none: that message; how: the commands that measure.
 */
export async function start(Page, Screen, { charts, none, how }) {
  const parts = await openPage(charts, how);
  if (!parts) return;
  const page = new Page(parts);
  page.choose();
  for (const link of document.querySelectorAll("a[data-page]")) link.href = page.addressOf(link.dataset.page);
  if (!page.machine) return showMessage(`${none}: ${how}`);
  at("main").hidden = false;
  await new Screen(page).begin();
}

/** {index, state, tip, looks}; null, with a message, where there is no index. */
async function openPage(charts, how) {
  at("unserved").remove();
  const none = { backends: {}, charts: {} };
  const looks = load(charts).catch(() => none); // the numbers need neither colours nor charts
  let index;
  try {
    index = await loadData("data/index.json");
  } catch (error) {
    showMessage(`${error.message} If nothing has been measured yet: ${how}`);
    return null;
  }
  footer(index);
  return { index, state: new State(window), tip: new Tip(at("tip")), looks: await looks };
}

/** Show a message above the page's content; none for empty text. */
export function showMessage(text) {
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
