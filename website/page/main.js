// The compilers' page: reads what is stored, shows what the address asks for.

import { load, loadData } from "./data.js";
import { element, sentence, visible } from "./dom.js";
import { Page } from "./page.js";
import { Screen } from "./screen.js";
import { State } from "./state.js";
import { Tip } from "./tip.js";

const HOW = [
  "`make bench` measures what is checked out and writes this site",
  "`make site` writes it anew from stored results",
];

start();

async function start() {
  at("unserved").remove();
  const none = { backends: {}, charts: {} };
  const looks = load("charts/index.json").catch(() => none); // the numbers need neither colours nor charts
  let index;
  try {
    index = await loadData("data/index.json");
  } catch (error) {
    return say(`${error.message} If nothing has been measured yet: ${HOW.join("; ")}.`);
  }
  const page = new Page({ index, state: new State(window), tip: new Tip(at("tip")), looks: await looks });
  page.choose();
  footer(index);
  if (!page.kernel || !page.machine) return say(`No results yet: ${HOW.join("; ")}.`);
  at("main").hidden = false;
  await new Screen(page).begin();
}

function say(text) {
  at("message").replaceChildren(...sentence(text));
  at("message").hidden = false;
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
