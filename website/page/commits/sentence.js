// The answer in words: what the commits changed for one kernel.

import { visible } from "../parts/dom.js";
import { counted, listed, SPACE, whole } from "../parts/format.js";
import { atLargestSize } from "../frame/cases.js";
import { becameWords, isApart, isLarge, LARGE, logDistance, range } from "../frame/verdict.js";

const FEW = 3; // backends that a headline lists
const NONE = `no change of ${whole(100 * (LARGE - 1))}${SPACE}% is known`;

/** {headline, lede: sentences} of the page's kernel. */
export function answer(page) {
  const changed = atLargestSize(page, "warm_seconds").filter(({ change }) => change);
  const size = ({ change }) => logDistance(change.factor);
  const apart = changed.filter(({ change }) => isStep(change)).sort((one, other) => size(other) - size(one));
  const same = changed.filter(({ change }) => !isStep(change));
  const foremost = apart.length ? apart.slice(0, 1) : same.filter(({ change }) => isOfSpan(change, same[0].change));
  const others = (apart.length ? apart : same).filter((one) => !foremost.includes(one));
  others.sort((one, other) => isOlder(one, foremost) - isOlder(other, foremost));
  const names = same.map(({ backend }) => visible(backend));
  return {
    headline: headline(page, foremost),
    lede: [
      ...others.map((one) => became(one, foremost[0].change.from)),
      apart.length && same.length ? `On ${listed(names)} ${NONE}.` : "",
      count(page),
    ].filter(Boolean),
  };
}

/** True for a change that heads a page: of many small ones some are chance. */
function isStep(change) {
  return isApart(change) && isLarge(change);
}

/** True if the change has another oldest commit than the headline's. */
function isOlder({ change: { from } }, [first]) {
  return from !== first.change.from;
}

function isOfSpan(change, { from, to }) {
  return change.from === from && change.to === to;
}

/** A backend's change; its oldest commit is named if it is not the headline's. */
function became({ backend, change }, known) {
  const words = `${becameWords(change)}.`;
  if (change.from === known) return `On ${visible(backend)} it ${words}`;
  return `Since ${visible(change.from)}, on ${visible(backend)} it ${words}`;
}

/** The largest change; or, if none is of 5 %, the backends that were measured over the same span, with their ranges. */
function headline(page, foremost) {
  const [one] = foremost;
  if (!one) return `Fewer than two commits have a warm call of ${page.kernelName}, so nothing can be compared.`;
  const call = `a warm call of ${page.kernelName}${page.atSize(one.size)}`;
  const since = visible(one.change.from);
  if (isStep(one.change)) return `Since ${since}, ${call} on ${visible(one.backend)} ${becameWords(one.change)}.`;
  const span = `From ${since} to ${visible(one.change.to)}, ${NONE} in ${call} on`;
  if (foremost.length > FEW) {
    const [{ backend, change }] = foremost.toSorted((one, other) => width(other) - width(one));
    const words = `the least certain, ${visible(backend)}, takes ${range(change.low, change.high)} of the time`;
    return `${span} ${foremost.length} backends; ${words}.`;
  }
  const ranges = foremost.map(({ backend, change: { low, high } }, place) => {
    return `${visible(backend)} (${range(low, high)}${place ? "" : " of the time"})`;
  });
  return `${span} ${listed(ranges)}.`;
}

function width({ change: { low, high } }) {
  return logDistance(high / low);
}

function count(page) {
  const { totals, remark } = page.steps;
  const own = totals[page.kernel.name] ?? { timed: 0, exact: 0 };
  const sum = (name) => Object.values(totals).reduce((all, each) => all + each[name], 0);
  const all = `commits made ${counted(sum("timed"), "steps")} in time and ${whole(sum("exact"))} in counts and errors`;
  const counts = `Over all kernels, ${all}; ${whole(own.timed)} and ${whole(own.exact)} of these are in ${page.kernelName}.`;
  return remark ? `${counts} ${visible(remark)}` : counts;
}
