// The releases' page: starts it.

import { ReleasesPage } from "./page.js";
import { start } from "../frame/opening.js";
import { ReleasesScreen } from "./screen.js";

const HOW = [
  "`make releases` measures every release in releases.toml",
  "`make releases COMPILER=numba` one compiler’s",
  "`make site` then writes this page.",
].join("; ");

start(ReleasesPage, ReleasesScreen, { charts: "charts/ladder.json", none: "No release has been measured yet", how: HOW });
