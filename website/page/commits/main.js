// The commits' page: starts it.

import { CommitsPage } from "./page.js";
import { start } from "../frame/opening.js";
import { CommitsScreen } from "./screen.js";

const HOW = "`make history` measures commits in duets against one of them; `make site` then writes this page.";

start(CommitsPage, CommitsScreen, { charts: "charts/commits.json", none: "No commit has been measured in duets yet", how: HOW });
