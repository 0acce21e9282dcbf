// The answer in words, from a ranking.

import { counted, day, digits, listed, seconds, times } from "../parts/format.js";
import { visible } from "../parts/dom.js";

const NO_RUN =
  "These times come from one or a few processes of each backend, hours apart, so the backends have no ranks. " +
  "`make ranking` measures five processes of each in turns, and ranks them.";

const FEWEST = 5; // processes of a backend; with fewer, two can't be told apart

export const LACKING = "is not in this repository"; // of a commit

/** The sentence above the ranked table: the fastest backend, its time, and those that can't be told apart from it. */
export function answer(ranking, unit) {
  const ranked = ranking.entries.filter((entry) => entry.rank !== null);
  if (!ranked.length) {
    const place = `at ${counted(ranking.size, unit)}`;
    return ranking.run ? `No backend has a rank ${place}.` : `No compiled backend has a time ${place}.`;
  }
  const place = `at ${counted(ranking.size, unit)}${ranking.isOneThread ? ", with one thread each" : ""}`;
  const quicker = elsewhere(ranking);
  const of = ranking.run && quicker ? ` of the ${ranked.length} ranked` : "";
  return `${visible(ranked[0].backend)} ${verb(ranking)}${of} ${place}: ${shortest(ranking, ranked)}${quicker}.`;
}

function verb({ run }) {
  return run ? "is fastest" : "has the shortest time";
}

/** "2.10 ms, 74.3 times as fast as NumPy; c can’t be told apart from it", of the first of entries sorted by seconds. */
function shortest(ranking, entries) {
  const [first] = entries;
  return `${time(first)}${overNumpy(ranking, first)}${ranking.run ? equals(entries) : ""}`;
}

/** "; c and jax can’t be told apart from it", of the entries after the first; "" without any. */
function equals([first, ...others]) {
  const beside = others.filter((other) => !differ(first, other)).map(({ backend }) => visible(backend));
  return beside.length ? `; ${listed(beside)} can’t be told apart from it` : "";
}

/** True if the processes of a run tell two entries apart, by the rule of jitkernels/measure/ranking.py. */
function differ(one, other) {
  return Math.min(one.processes, other.processes) >= FEWEST && (one.high < other.low || other.high < one.low);
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

/**
 * ", 74.3 times as fast as NumPy", or ", 1.18 times NumPy’s time"; "" if that is unknown, if a run does not tell the two
 * apart, and for NumPy itself.
 */
function overNumpy({ run, entries }, entry) {
  const { backend, times_faster_than_numpy: speed } = entry;
  if (!speed || backend === "numpy") return "";
  const isApart = !run || differ(entry, entries.find((other) => other.backend === "numpy"));
  if (!isApart) return "";
  return speed < 1 ? `, ${digits(1 / speed)} times NumPy’s time` : `, ${digits(speed)} times as fast as NumPy`;
}

/**
 * Sentences on the fastest just-in-time compiler, on the next backend, and on what the ranking rests on.
 * isJit(backend): true for a just-in-time compiler.
 */
export function details(ranking, unit, isJit) {
  const ranked = ranking.entries.filter((entry) => entry.rank !== null);
  if (!ranked.length) return ranking.run ? [basis(ranking)] : [];
  const [first] = ranked;
  const next = ranked.find((entry) => entry.rank !== first.rank);
  const jits = ranked.filter((entry) => isJit(entry.backend)).toSorted((one, other) => one.seconds - other.seconds);
  const jit = jits[0] ?? first;
  const unsettled = new Set([first, jit].filter(({ settled }) => settled === false).map(({ backend }) => visible(backend)));
  const ofJits = `Of the just-in-time compilers, ${visible(jit.backend)} ${verb(ranking)}`;
  return [
    jit === first ? "" : `${ofJits}: ${shortest(ranking, jits)}.`,
    cost(ranking, jit, unit),
    unsettled.size ? `The time of ${listed([...unsettled])} still drifted while it was measured.` : "",
    next && next !== jit ? after(first, next) : "",
    ranking.isOneThread ? "" : oneThread(ranking),
    basis(ranking),
  ].filter(Boolean);
}

function after(first, next) {
  const factor = times(next.seconds / first.seconds);
  return `Next after ${visible(first.backend)} comes ${visible(next.backend)}, which takes ${factor} as long.`;
}

/** The fastest with one thread each, if the run has such times and the fastest of all uses more threads. */
function oneThread({ entries, one_thread: single }) {
  const ranked = (single ?? []).filter((entry) => entry.rank !== null);
  if (!ranked.length || !(entries[0].threads > 1)) return "";
  return `With one thread each ${visible(ranked[0].backend)} is fastest: ${seconds(ranked[0].seconds)}${equals(ranked)}.`;
}

function basis({ run, entries }) {
  if (!run) return NO_RUN;
  const machine = `${visible(run.processor)}, ${counted(run.cores, "cores")}`;
  const count = run.most_processes > run.processes ? `${run.processes} to ${run.most_processes}` : run.processes;
  const backends = counted(entries.filter(({ processes }) => processes).length, "backends");
  const processes = `${count} processes of each backend, in rounds over these ${backends}`;
  const commit = `${visible(run.short)}${run.subject === null ? `, which ${LACKING},` : ""}`;
  return `Measured: ${processes}; commit ${commit} on ${machine}, ${day(run.began)}.`;
}

/** How long a first call takes, and when it has paid off at the ranking's size: an estimate without a run. */
function cost({ run, size }, { backend, cold_seconds: cold, cold_size: at, break_even: even }, unit) {
  if (cold === null || cold === undefined) return "";
  const isHere = at === size;
  const first = `The first call of ${visible(backend)} takes ${seconds(cold)}${isHere ? "" : ` at ${counted(at, unit)}`}`;
  if (backend === "numpy" || even.numpy === null) return `${first}.`;
  const when = even.numpy === 0 ? "with the first call" : `after ${run ? "" : "about "}${counted(even.numpy, "warm calls")}`;
  const where = isHere ? "Compiling" : `At ${counted(size, unit)} compiling`;
  return `${first}. ${where} pays off against NumPy ${when}.`;
}
