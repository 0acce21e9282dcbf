// The compilers' page: starts it.

import { CompilersPage } from "./page.js";
import { openPage, showMessage } from "../frame/opening.js";
import { Screen } from "./screen.js";

const HOW =
  "`make bench` measures what is checked out and writes this site; `make site` writes it anew from stored results.";

start();

async function start() {
  const parts = await openPage("charts/index.json", HOW);
  if (!parts) return;
  const page = new CompilersPage(parts);
  page.choose();
  if (!page.kernel || !page.machine) return showMessage(`No results yet: ${HOW}`);
  document.getElementById("main").hidden = false;
  await new Screen(page).begin();
}
