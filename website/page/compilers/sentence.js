// The answer in words, from a ranking.

import { listed, seconds, times, whole } from "../parts/format.js";
import { visible } from "../parts/dom.js";

/** The sentence above the ranked table: the fastest backend, its time, and those that can't be told apart from it. */
export function answer(ranking, unit) {
  const ranked = ranking.entries.filter((entry) => entry.rank !== null);
  if (!ranked.length) return `No compiled backend has a time at ${whole(ranking.size)} ${unit}.`;
  const first = ranked[0];
  const equals = ranked.filter(
    (entry, place) => place && entry.rank === first.rank && (place === 1 || meets(entry, first)),
  );
  const beside = equals.map((entry) => visible(entry.backend));
  const speed = first.times_faster_than_numpy;
  const numpy = speed && first.backend !== "numpy" ? `, ${times(speed)} NumPy` : "";
  const apart = beside.length ? `; ${listed(beside)} can’t be told apart from it` : "";
  const place = `at ${whole(ranking.size)} ${unit}`;
  return `${visible(first.backend)} is fastest ${place}: ${seconds(first.seconds)}${numpy}${apart}.`;
}

/** True if the quartiles of two entries meet. Entries share a rank along a chain, whose ends may differ. */
function meets(one, other) {
  return (
    (one.low ?? one.seconds) <= (other.high ?? other.seconds) && (other.low ?? other.seconds) <= (one.high ?? one.seconds)
  );
}

/** Sentences on the next backend and on the first call of the fastest. isJit(backend): true for a just-in-time compiler. */
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
  ].filter(Boolean);
}

function cost({ backend, cold_seconds: cold, break_even: even }) {
  if (cold === null || cold === undefined) return "";
  const paid =
    backend === "numpy" || !even || even.numpy === null
      ? ""
      : even.numpy === 0
        ? ", which is already less than NumPy takes for it"
        : `, which has paid for itself against NumPy after ${whole(even.numpy)} call${even.numpy === 1 ? "" : "s"}`;
  return `Its first call takes ${seconds(cold)}${paid}.`;
}
