// The releases' page: starts it.

import { openPage, showMessage } from "../frame/opening.js";
import { ReleasesPage } from "./page.js";
import { ReleasesScreen } from "./screen.js";

const HOW = [
  "`make releases` measures every release in releases.toml",
  "`make releases COMPILER=numba` one compiler’s",
  "`make site` then writes this page.",
].join("; ");

start();

async function start() {
  const parts = await openPage("charts/ladder.json", HOW);
  if (!parts) return;
  const page = new ReleasesPage(parts);
  page.choose();
  for (const link of document.querySelectorAll("a[data-page]")) link.href = page.addressOf(link.dataset.page);
  if (!page.entry) return showMessage(`No release has been measured yet: ${HOW}`);
  document.getElementById("main").hidden = false;
  await new ReleasesScreen(page).begin();
}
