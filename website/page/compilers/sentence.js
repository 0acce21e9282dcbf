// The answer in words, from a ranking.

import { counted, day, listed, seconds, times } from "../parts/format.js";
import { visible } from "../parts/dom.js";

const NO_RUN =
  "These times come from one process of each backend, or a few, at different hours, so they give no ranks. " +
  "`make ranking` measures five processes of each in turns, and ranks them.";

/** The sentence above the ranked table: the fastest backend, its time, and those that can't be told apart from it. */
export function answer(ranking, unit) {
  const ranked = ranking.entries.filter((entry) => entry.rank !== null);
  if (!ranked.length) return `No compiled backend has a time at ${counted(ranking.size, unit)}.`;
  const first = ranked[0];
  const equals = ranked.filter((entry, place) => ranking.run && place && entry.rank === first.rank);
  const beside = equals.map((entry) => visible(entry.backend));
  const speed = first.times_faster_than_numpy;
  const numpy = speed && first.backend !== "numpy" ? `, ${times(speed)} NumPy` : "";
  const apart = beside.length ? `; ${listed(beside)} can’t be told apart from it` : "";
  const place = `at ${counted(ranking.size, unit)}${ranking.isOneThread ? ", with one thread each" : ""}`;
  const verb = ranking.run ? "is fastest" : "has the shortest time";
  return `${visible(first.backend)} ${verb} ${place}: ${seconds(first.seconds)}${numpy}${apart}.`;
}

/**
 * Sentences on the next backend, on the first call of the fastest, and on what the ranking rests on.
 * isJit(backend): true for a just-in-time compiler.
 */
export function details(ranking, isJit) {
  const ranked = ranking.entries.filter((entry) => entry.rank !== null);
  if (!ranked.length) return [];
  const first = ranked[0];
  const next = ranked.find((entry) => entry.rank !== first.rank);
  const jit = ranked.find((entry) => isJit(entry.backend));
  return [
    jit && !isJit(first.backend)
      ? `Of the just-in-time compilers it is ${visible(jit.backend)}: ${seconds(jit.seconds)}${
          jit.times_faster_than_numpy ? `, ${times(jit.times_faster_than_numpy)} NumPy` : ""
        }. ${cost(jit)}`
      : cost(first),
    next && next !== jit
      ? `Next comes ${visible(next.backend)}, which takes ${times(next.seconds / first.seconds)} as long.`
      : "",
    first.settled === false ? "Its calls had not settled when they were timed." : "",
    basis(ranking.run),
  ].filter(Boolean);
}

function basis(run) {
  if (!run) return NO_RUN;
  const machine = `${visible(run.processor)}, ${counted(run.cores, "cores")}`;
  const processes = `${run.processes} processes a backend, in rounds over all backends`;
  return `This rests on ${processes}, of commit ${visible(run.short)} on ${machine}, ${day(run.began)}.`;
}

function cost({ backend, cold_seconds: cold, break_even: even }) {
  if (cold === null || cold === undefined) return "";
  const paid =
    backend === "numpy" || !even || even.numpy === null
      ? ""
      : even.numpy === 0
        ? ", which is already less than NumPy takes for it"
        : `, which has paid for itself against NumPy after ${counted(even.numpy, "calls")}`;
  return `Its first call takes ${seconds(cold)}${paid}.`;
}
