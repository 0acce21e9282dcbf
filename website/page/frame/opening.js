// The first step of each page: read the index and begin, or show why there is nothing.

import { load, loadData } from "./data.js";
import { byId, element, list, sentence, visible } from "../parts/dom.js";
import { State } from "./state.js";
import { Tip } from "../parts/tip.js";

/**
 * Begin a page, or show a message if nothing was measured.
 *
 * views: its sections; charts: the file that describes its charts; none: that message; how: the commands that measure.
 */
export async function start(Page, Screen, views, { charts, none, how }) {
  byId("unserved").remove();
  const looks = load(charts).catch(() => ({ backends: {}, charts: {} })); // the numbers need neither colours nor charts
  const index = await loadData("data/index.json").catch((error) =>
    showMessage(`${error.message} If nothing has been measured yet: ${how}`),
  );
  if (!index) return;
  footer(index);
  const page = new Page({ index, state: new State(window), tip: new Tip(byId("tip")), looks: await looks });
  page.choose();
  for (const link of document.querySelectorAll("a[data-page]")) link.href = page.addressOf(link.dataset.page);
  if (!page.machine) return showMessage(`${none}: ${how}`);
  byId("main").hidden = false;
  await new Screen(page, views).begin();
}

/** Show a message above the page's content; hide it if the text is empty. */
export function showMessage(text) {
  byId("message").replaceChildren(...sentence(text));
  byId("message").hidden = !text;
}

function footer(index) {
  byId("history").parentNode.hidden = !index.history;
  byId("generated").textContent = `Written ${visible(index.generated)}.`;
  if (!index.unread.length) return;
  byId("unread").append(
    element("h2", {}, "Stored results that could not be read"),
    list(null, index.unread.map(({ file, reason }) => [element("code", {}, visible(file)), `: ${visible(reason)}`])),
  );
}
