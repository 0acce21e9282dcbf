// The ratio of two releases: that of a duet of both, or the product of the ratios along the chain of duets.

/**
 * {factor, low, high, duets}: seconds with the release `to` over seconds with `from`, and how many duets give it; null if no
 * chain leads from one to the other. Releases are places in version order. days: the factor by which days differ.
 */
export function ratioBetween(links, from, to, days) {
  if (from > to) {
    const back = ratioBetween(links, to, from, days);
    return back && { factor: 1 / back.factor, low: 1 / back.high, high: 1 / back.low, duets: back.duets };
  }
  const direct = links.find((link) => link.from === from && link.to === to);
  return product(direct ? [direct] : chain(links, from, to), days);
}

/** The links from one release to another; null if the chain has a gap. */
function chain(links, from, to) {
  const steps = [];
  for (let at = to; at !== from; at = steps.at(-1).from) {
    const older = links.filter((link) => link.to === at);
    if (!older.length || at < from) return null;
    steps.push(older.reduce((near, link) => (link.from > near.from ? link : near)));
  }
  return steps;
}

/** The product of ratios; errors are independent, so their squares add up: those of the duets, and once that of days. */
function product(steps, days) {
  if (!steps?.length) return null;
  const reach = (distance) => Math.hypot(...steps.map(distance), Math.log(days));
  const factor = steps.reduce((whole, step) => whole * step.ratio, 1);
  const below = reach((step) => Math.log(step.ratio / step.low));
  const above = reach((step) => Math.log(step.high / step.ratio));
  return { factor, low: factor * Math.exp(-below), high: factor * Math.exp(above), duets: steps.length };
}

/** "4.2 %", the distance of a factor from 1. */
export function percentApart(factor) {
  const value = 100 * (Math.max(factor, 1 / factor) - 1);
  return `${value < 10 ? value.toFixed(1) : Math.round(value)}\u00a0%`;
}
