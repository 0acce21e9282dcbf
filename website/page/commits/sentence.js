// The answer in words: what the commits changed for one kernel.

import { visible } from "../parts/dom.js";
import { counted, listed, whole } from "../parts/format.js";
import { atLargestSize } from "../frame/cases.js";
import { becameWords, isApart, logDistance } from "../frame/verdict.js";

/** {headline, lede: sentences} of the page's kernel. */
export function answer(page) {
  const changed = atLargestSize(page, "warm_seconds").filter(({ change }) => change);
  const size = ({ change }) => logDistance(change.factor);
  const apart = changed.filter(({ change }) => isApart(change)).sort((one, other) => size(other) - size(one));
  const same = changed.filter(({ change }) => !isApart(change)).map(({ backend }) => visible(backend));
  return {
    headline: headline(page, apart[0] ?? changed[0], apart.length > 0),
    lede: [
      ...apart.slice(1).map((one) => became(one, apart[0].change.from)),
      apart.length && same.length ? `On ${listed(same)} the first and the last commit can’t be told apart.` : "",
      count(page),
    ].filter(Boolean),
  };
}

/** A backend's change; its oldest commit is named if it is not the headline's. */
function became({ backend, change }, known) {
  const words = `${becameWords(change)}.`;
  if (change.from === known) return `On ${visible(backend)} it ${words}`;
  return `Since ${visible(change.from)}, on ${visible(backend)} it ${words}`;
}

function headline(page, one, isChanged) {
  if (!one) return `Fewer than two commits have a warm call of ${page.kernelName}, so nothing can be compared.`;
  const call = `warm call of ${page.kernelName}${page.atSize(one.size)}`;
  if (isChanged) return `Since ${visible(one.change.from)}, a ${call} on ${visible(one.backend)} ${becameWords(one.change)}.`;
  return `From ${visible(one.change.from)} to ${visible(one.change.to)}, no backend’s ${call} changed measurably.`;
}

function count(page) {
  const steps = page.steps.steps.filter(({ kind }) => kind === "commit");
  const own = steps.filter(({ kernel }) => kernel === page.kernel.name);
  const [timed, exact] = [false, true].map((kind) => (some) => some.filter((step) => step.exact === kind).length);
  const all = `commits made ${counted(timed(steps), "steps")} in time and ${whole(exact(steps))} in counts and errors`;
  return `Over all kernels, ${all}; ${whole(timed(own))} and ${whole(exact(own))} of these are in ${page.kernelName}.`;
}
