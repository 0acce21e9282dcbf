// Each chart of releases in a sentence or two, from the rows that it is drawn from.

import { visible } from "../parts/dom.js";
import { counted, isNumber, listed, percent, seconds as time, times } from "../parts/format.js";
import { isApart, LARGE, logDistance, slower } from "../frame/verdict.js";
import { atWords } from "./steps.js";

const HOURS_APART = "The releases were measured hours apart, not in duets: a difference may be noise, so none is claimed.";
export const IN_TURN = "The two releases of a duet were measured in turn, so the machine’s drift affects both and cancels out.";

/** The largest step of any line. */
export function releases(page, rows) {
  const stepped = rows.filter((row) => row.step);
  if (!stepped.length) return page.ladder.duets ? "No step was found in any line." : HOURS_APART;
  const most = stepped.reduce((best, row) => (logDistance(row.step) > logDistance(best.step) ? row : best));
  const call = `${lower(page.withUnit(visible(most.panel)))} on ${visible(most.backend)}`;
  const at = atWords(page, { from: most.since, to: most.release });
  return `${counted(stepped.length, "steps")}; the largest ${at}, ${slower(most.step)}: ${call}.`;
}

/** The kernels in which the newest release is known to be faster or slower than the oldest. */
export function factors(_, rows) {
  const known = rows.filter((row) => row.in_duets);
  if (!known.length) return HOURS_APART;
  const kernels = [...new Set(known.map((row) => row.kernel))];
  const oldest = (kernel, backend) =>
    known.find((row) => row.kernel === kernel && row.backend === backend && isNumber(row.times));
  return [...new Set(known.map((row) => row.backend))]
    .map((backend) => {
      const there = kernels.map((kernel) => oldest(kernel, backend)).filter((row) => row && isApart(row));
      const faster = there.filter((row) => row.times >= LARGE).map((row) => visible(row.kernel));
      const slower = there.filter((row) => row.times <= 1 / LARGE).map((row) => visible(row.kernel));
      const parts = [
        faster.length ? `faster in ${listed(faster)}` : "",
        slower.length ? `slower in ${listed(slower)}` : "",
      ].filter(Boolean);
      const verdict = parts.length ? parts.join(", ") : "not known to differ by 5\u00a0% or more in any kernel";
      return `On ${visible(backend)}, compared with the oldest release, the newest is ${verdict}.`;
    })
    .join(" ");
}

/** The longest stage with the newest release, and how the sum has changed. */
export function stages(page, rows) {
  return [...new Set(rows.map((row) => row.backend))]
    .map((backend) => {
      const own = rows.filter((row) => row.backend === backend && row.stage);
      if (!own.length) return "";
      const orders = [...new Set(own.map((row) => row.order))].sort((a, b) => a - b);
      const of = (order) => own.filter((row) => row.order === order);
      const whole = (order) => of(order).reduce((sum, row) => sum + row.height, 0);
      const [first, last] = [orders[0], orders.at(-1)];
      const most = of(last).reduce((best, row) => (row.height > best.height ? row : best));
      const change = first === last ? "" : ` (${time(whole(first))} with ${visible(of(first)[0].release)})`;
      const now = `${visible(backend)} takes ${time(whole(last))} to compile with ${visible(most.release)}${change}`;
      return `${now}. The longest stage is ${visible(most.stage)}, ${time(most.seconds)}.`;
    })
    .join(" ");
}

/** The counts that changed, and those that never did. */
export function counts(page, rows) {
  const moved = new Map(rows.map((row) => [row.count, row.moved]));
  const names = (test) => [...moved].filter(([, count]) => test(count)).map(([name]) => visible(name));
  const [some, none] = [names((count) => count > 0), names((count) => !count)];
  if (!some.length) return "No release changed any count.";
  return `Some release changed ${listed(some)}${none.length ? `; none changed ${listed(none)}` : ""}.`;
}

/** The releases that changed an error. */
export function errors(page, rows) {
  const last = new Map();
  const moves = new Map();
  for (const row of rows.filter((row) => isNumber(row.value))) {
    const line = `${row.backend} ${row.size}`;
    if (last.has(line) && last.get(line) !== row.value) moves.set(row.order, row.release);
    last.set(line, row.value);
  }
  if (!moves.size) return "No release changed any error.";
  const at = [...moves].sort(([one], [other]) => one - other).map(([, release]) => visible(release));
  return `The answer changed with ${listed(at)}.`;
}

/** How much the call differs along releases. */
export function beside(page, rows) {
  const own = rows.filter((row) => row.in_duets && isNumber(row.seconds));
  if (!own.length) return HOURS_APART;
  const spans = [...Map.groupBy(own, ({ backend }) => backend)].map(([backend, rows]) => {
    const values = rows.map((row) => row.seconds);
    return { backend, span: Math.max(...values) / Math.min(...values) };
  });
  const { backend, span } = spans.reduce((most, one) => (one.span > most.span ? one : most));
  const what = page.withUnit(visible(own[0].panel));
  return `${what}: on ${visible(backend)} the slowest release takes ${times(span)} as long as the fastest.`;
}

/** How large the drift was, which is divided out. */
export function drift(page) {
  const { drift: moved, reference } = page.ladder;
  if (page.ladder.duets) return IN_TURN;
  if (!reference || moved.turns.length < 2) return "No release was measured repeatedly here, so times are not corrected for drift.";
  const lives = ["warm", "cold"].filter((life) => isNumber(moved[life]));
  const most = lives.map((life) => `its ${life} calls were at most ${percent(moved[life])} off their median`);
  const turns = `${page.compiler} ${visible(reference)} was measured ${moved.turns.length} times between the others`;
  const divided = "Every time on this page is divided by this drift.";
  return `${turns}: ${listed(most)}. ${divided}`;
}

function lower(text) {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
