// The answer in words: what the commits changed for one kernel.

import { visible } from "../parts/dom.js";
import { counted, listed, whole } from "../parts/format.js";
import { inWords, isApart, largest } from "../frame/verdict.js";

/** {headline, lede: sentences} of the page's kernel. */
export function answer(page) {
  const changed = largest(page, "warm_seconds").filter(({ change }) => change);
  const size = ({ change: { factor } }) => Math.abs(Math.log(factor));
  const apart = changed.filter(({ change }) => isApart(change)).sort((one, other) => size(other) - size(one));
  const same = changed.filter(({ change }) => !isApart(change)).map(({ backend }) => visible(backend));
  return {
    headline: headline(page, apart[0] ?? changed[0], apart.length > 0),
    lede: [
      ...apart.slice(1).map(({ backend, change }) => `On ${visible(backend)} it ${inWords(change)}.`),
      apart.length && same.length ? `On ${listed(same)} the first and the last commit can’t be told apart.` : "",
      count(page),
    ].filter(Boolean),
  };
}

function headline(page, one, isChanged) {
  if (!one) return `${page.kernelName} has a warm call at fewer than two commits: nothing can be compared.`;
  const call = `warm call of ${page.kernelName}${page.atSize(one.size)}`;
  if (isChanged) return `Since ${visible(one.change.from)}, a ${call} on ${visible(one.backend)} ${inWords(one.change)}.`;
  return `From ${visible(one.change.from)} to ${visible(one.change.to)}, no backend’s ${call} changed measurably.`;
}

function count(page) {
  const steps = page.steps.steps.filter(({ kind }) => kind === "commit");
  const own = steps.filter(({ kernel }) => kernel === page.kernel.name).length;
  const words = (number) => counted(number, "steps");
  return `Commits made ${words(steps.length)} over all kernels, ${own ? whole(own) : "none"} of them in ${page.kernelName}.`;
}
