// The compilers' page: starts it.

import { CompilersPage } from "./page.js";
import { start } from "../frame/opening.js";
import { CompilersScreen } from "./screen.js";

const HOW =
  "`make bench` measures what is checked out and writes this site; `make site` writes it anew from stored results.";

start(CompilersPage, CompilersScreen, { charts: "charts/index.json", none: "No results yet", how: HOW });
