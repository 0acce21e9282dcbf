// The answer in words, from a ranking.

import { counted, day, digits, listed, seconds, times } from "../parts/format.js";
import { visible } from "../parts/dom.js";

const NO_RUN =
  "These times come from one or a few processes of each backend, hours apart, so the backends have no ranks. " +
  "`make ranking` measures five processes of each in turns, and ranks them.";

export const LACKING = "is not in this repository"; // of a commit

/** The sentence above the ranked table: the fastest backend, its time, and those that can't be told apart from it. */
export function answer(ranking, unit) {
  const ranked = ranking.entries.filter((entry) => entry.rank !== null);
  if (!ranked.length) return `No compiled backend has a time at ${counted(ranking.size, unit)}.`;
  const first = ranked[0];
  const apart = ranking.run ? equals(ranked) : "";
  const place = `at ${counted(ranking.size, unit)}${ranking.isOneThread ? ", with one thread each" : ""}`;
  const quicker = elsewhere(ranking);
  const verb = ranking.run ? `is fastest${quicker ? ` of the ${ranked.length} ranked` : ""}` : "has the shortest time";
  return `${visible(first.backend)} ${verb} ${place}: ${time(first)}${overNumpy(first)}${apart}${quicker}.`;
}

/** "; c and jax can’t be told apart from it", of those with the first one's rank; "" without any. */
function equals([first, ...others]) {
  const beside = others.filter(({ rank }) => rank === first.rank).map(({ backend }) => visible(backend));
  return beside.length ? `; ${listed(beside)} can’t be told apart from it` : "";
}

/** Backends that are not in the run and that took less time at another hour; "" without any. */
function elsewhere({ isOneThread, entries, quicker }) {
  if (isOneThread || !quicker.length) return "";
  const words = (entry) => (entry.threads === entries[0].threads ? seconds(entry.seconds) : time(entry));
  const others = entries.filter(({ backend }) => quicker.includes(backend));
  return `; in another run ${listed(others.map((entry) => `${visible(entry.backend)} took ${words(entry)}`))}`;
}

/** "2.10 ms", or "1.02 ms with 2 threads". */
function time({ seconds: value, threads }) {
  return `${seconds(value)}${threads > 1 ? ` with ${counted(threads, "threads")}` : ""}`;
}

/** ", 74.3 times as fast as NumPy"; "" if that is unknown, and for NumPy itself. */
function overNumpy({ backend, times_faster_than_numpy: speed }) {
  return speed && backend !== "numpy" ? `, ${digits(speed)} times as fast as NumPy` : "";
}

/**
 * Sentences on the next backend, on the first call of the fastest, and on what the ranking rests on.
 * isJit(backend): true for a just-in-time compiler.
 */
export function details(ranking, unit, isJit) {
  const ranked = ranking.entries.filter((entry) => entry.rank !== null);
  if (!ranked.length) return [];
  const first = ranked[0];
  const next = ranked.find((entry) => entry.rank !== first.rank);
  const jit = ranked.find((entry) => isJit(entry.backend));
  return [
    jit && !isJit(first.backend)
      ? `The fastest just-in-time compiler is ${visible(jit.backend)}: ${time(jit)}${overNumpy(jit)}. ${cost(jit, ranking.size, unit)}`
      : cost(first, ranking.size, unit),
    next && next !== jit
      ? `Next comes ${visible(next.backend)}, which takes ${times(next.seconds / first.seconds)} as long.`
      : "",
    ranking.isOneThread ? "" : oneThread(ranking),
    first.settled === false ? "Its time still drifted while it was measured." : "",
    basis(ranking.run),
  ].filter(Boolean);
}

/** The fastest with one thread each, if the run has such times and the fastest of all uses more threads. */
function oneThread({ entries, one_thread: single }) {
  const ranked = (single ?? []).filter((entry) => entry.rank !== null);
  if (!ranked.length || !(entries[0].threads > 1)) return "";
  return `With one thread each ${visible(ranked[0].backend)} is fastest: ${seconds(ranked[0].seconds)}${equals(ranked)}.`;
}

function basis(run) {
  if (!run) return NO_RUN;
  const machine = `${visible(run.processor)}, ${counted(run.cores, "cores")}`;
  const processes = `${run.processes} processes of each backend, in rounds over all backends`;
  const commit = `${visible(run.short)}${run.subject === null ? `, which ${LACKING},` : ""}`;
  return `Measured: ${processes}; commit ${commit} on ${machine}, ${day(run.began)}.`;
}

/** How long a first call takes, and when it has paid off at the ranking's size. */
function cost({ backend, cold_seconds: cold, cold_size: at, break_even: even }, size, unit) {
  if (cold === null || cold === undefined) return "";
  const isHere = at === size;
  const first = `Its first call takes ${seconds(cold)}${isHere ? "" : ` at ${counted(at, unit)}`}`;
  if (backend === "numpy" || even.numpy === null) return `${first}.`;
  const when = even.numpy === 0 ? "with the first call" : `after ${counted(even.numpy, "warm calls")}`;
  const where = isHere ? "Compiling" : `At ${counted(size, unit)} compiling`;
  return `${first}. ${where} pays off against NumPy ${when}.`;
}
