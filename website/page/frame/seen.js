// What several machines say about a step: which of them saw it.

import { element, foreign, list, unseen, visible } from "../parts/dom.js";
import { whole } from "../parts/format.js";
import { changeWords, interval } from "./verdict.js";

const WORDS = { seen: "seen", absent: "not seen", unclear: "can’t tell", unmeasured: "not measured" };
const SMALL = { absent: "not on", unclear: "can’t tell on" }; // the words below the count
const COUNT =
  "“Seen on”: how many machines saw the step, of those whose duets cover it. A machine saw the step if its own direct duet " +
  "confirms one in the same direction, over an overlapping span.";
const OTHERS =
  "“Not on”: the machine measured a span around the step, and its interval excludes a step of 5\u00a0% in that direction. " +
  "“Can’t tell”: the interval is too wide, or the span is longer and a change in the other direction could hide the step.";

/** The column of steps: how many machines saw each; none if no step has several machines. */
export function seenColumns(page, steps) {
  if (!steps.some((step) => machinesOf(step).length > 1)) return [];
  const count = (step) => {
    const could = machinesOf(step).filter(({ answer }) => answer !== "unmeasured");
    return { seen: could.filter(({ answer }) => answer === "seen").length, could };
  };
  const others = ({ could }, answer) => {
    const names = could.filter((one) => one.answer === answer).map(({ machine }) => page.machineName(machine));
    return names.length ? element("small", {}, `${SMALL[answer]} `, foreign(names.join(", "))) : null;
  };
  return [
    {
      key: "seen",
      label: "Seen on",
      class: "seen",
      sort: (step) => (machinesOf(step).length ? count(step).seen / count(step).could.length : null),
      cell: (step) => {
        const counted = count(step);
        if (!machinesOf(step).length) return null;
        const words = `${whole(counted.seen)} of ${whole(counted.could.length)}`;
        return [words, unseen(" machines"), ...Object.keys(SMALL).map((answer) => others(counted, answer))];
      },
    },
  ];
}

/** The notes on that column; what: what no other machine has, if there is no column. */
export function seenNotes(steps, what) {
  const known = steps.filter((step) => machinesOf(step).length);
  if (!known.length) return [];
  if (known.every((step) => machinesOf(step).length === 1)) return [`No other machine has ${what}, so these steps can’t be confirmed elsewhere.`];
  return [COUNT, OTHERS];
}

/** Each machine's answer to a step and its own ratio, as a list; null for a single machine. */
export function seenList(page, machines) {
  if (machines.length < 2) return null;
  const words = ({ answer, measured }) => {
    if (!measured) return WORDS[answer];
    const ends = `${visible(measured.from)} to ${visible(measured.to)}`;
    return [`${WORDS[answer]}, `, changeWords(measured), ` (${interval(measured)}) from ${ends}`];
  };
  return list("plain", machines.map((one) => [foreign(page.machineName(one.machine)), ": ", words(one)]));
}

/** What each machine says about a step; a step between releases that no duet shows has none. */
function machinesOf({ machines, duet }) {
  return machines ?? duet?.machines ?? [];
}
