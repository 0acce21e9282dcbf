// The text of an issue for the compiler's own tracker. Nothing is sent: a reader copies it.

import { visible } from "../parts/dom.js";
import { counted, day, digits, seconds, whole } from "../parts/format.js";
import { figureWords } from "../frame/cases.js";
import { range, verdict } from "../frame/verdict.js";
import { countWords, otherSizes, partWords, remarks } from "./explanations.js";
import { atWords, skipped } from "./steps.js";

const COMMIT = /(\/-)?\/commit\/$/; // the end of a repository’s addresses of commits, on GitLab with a dash

/** The issue of a step with a duet, in Markdown. */
export function issueText(page, step) {
  const { duet, kernel, backend, size, from, to } = step;
  const [before, after] = [duet.before, duet.after].map((place) => page.ladder.sources[place]);
  const package_ = visible(page.ladder.package);
  const where = `${visible(backend)}${page.atSize(size, kernel)}`;
  const call = `The ${figureWords(step.figure)} of ${visible(kernel)} (${where})`;
  const isPinned = step.figure !== "cold_seconds" && !page.needsThreads(backend); // as in duet/cases.py
  const expected = range(step.low, step.high);
  const name = step.figure === "cold_seconds" ? `The first call of ${visible(kernel)}` : visible(kernel);
  return [
    `# ${name} became ${verdict(step).textContent} ${atWords(page, step, `${package_} `)}`,
    `${call} takes ${digits(step.factor)} (95 % interval ${expected}) times as long with ${package_} ${visible(to)} as ` +
      `with ${visible(from)}. In the last duet the medians are ${seconds(step.before)} before and ${seconds(step.after)} after; ` +
      "the ratio is of pairs, so theirs can differ.",
    `Both were measured in turn on ${isPinned ? "one core" : "all cores"}, in ${whole(duet.pairs)} pairs of processes, ` +
      `the last on ${day(duet.measured)}: ${visible(after.processor)}, ${counted(after.cores, "cores")}, Python ${visible(after.python)}.`,
    [`- before: ${requirementWords(before, " ")}`, `- after: ${requirementWords(after, " ")}`].join("\n"),
    ...between(page, step),
    ...remarks(duet),
    ...atOtherSizes(otherSizes(page, step)),
    ...known(step),
    "## Repeat it",
    ...lacking(after),
    block(commands(page, before, after, isPinned ? "taskset -c 0 " : "")),
    "`program.py`:",
    block(program(step)),
    "The same with an interval, in a clone of jitkernels:",
    block([visible(duet.command)]),
    `Expected: \`after\` takes ${expected} of the time of \`before\` (${verdict(step).textContent}).${memory(step)}`,
  ].join("\n\n");
}

/** Where the duet's arrays were; first calls have the user's malloc. */
function memory({ figure }) {
  const words = "The duet allocated by jemalloc where it is installed (`duet/memory.py`); by another malloc the ratio can differ.";
  return figure === "cold_seconds" ? "" : ` ${words}`;
}

/** The releases that may have made the change too, as a list of one sentence or none. */
function between(page, step) {
  const releases = skipped(page, step).map(visible);
  return releases.length ? [`Releases between the two without a ratio: ${releases.join(", ")}.`] : [];
}

/** The same ratio at other sizes, as a list of one sentence or none. */
function atOtherSizes(sizes) {
  return sizes.length ? [`The ratio of the two releases ${sizes.join("; ")}.`] : [];
}

function known({ duet }) {
  const causes = duet.causes.map(({ text, link }) => `Cause: ${visible(text)}${link ? ` (${visible(link)})` : ""}.`);
  const parts = duet.parts.filter(({ ratio }) => ratio !== null).map((part) => `- ${partWords(part)}`);
  const counts = countWords(duet.artifacts);
  return [
    ...causes,
    parts.length && `With one part exchanged, instead of all, the ratio is:\n${parts.join("\n")}`,
    counts && `Counts of what is compiled: ${counts}.`,
  ].filter(Boolean);
}

function requirementWords({ requirements }, sign) {
  return Object.entries(requirements)
    .map(([name, version]) => visible(`${name}${sign}${version}`))
    .join(sign === " " ? ", " : " ");
}

/** That the reader gets other kernels, if the repository lacks the commit that measured. */
function lacking({ subject, commit }) {
  const short = visible(commit).slice(0, 8);
  return subject === null ? [`The repository lacks commit ${short}, which measured this; the commands take its newest one.`] : [];
}

/** pin: what stands before a command that shall run on one core. */
function commands(page, before, after, pin) {
  const known = page.index.diffs?.startsWith("https://") && COMMIT.test(page.index.diffs);
  const address = known ? page.index.diffs.replace(COMMIT, "") : "ADDRESS-OF-JITKERNELS";
  const python = `python${visible(after.python).split(".").slice(0, 2).join(".")}`;
  const install = (name, source) => `${python} -m venv ${name} && ${name}/bin/pip install . ${requirementWords(source, "==")}`;
  const checkout = after.subject === null ? "" : ` && git checkout ${visible(after.commit)}`; // the repository may lack it
  return [
    `git clone ${address} jitkernels && cd jitkernels${checkout}`,
    install("before", before),
    install("after", after),
    `for turn in 1 2 3; do ${pin}before/bin/python program.py; ${pin}after/bin/python program.py; done`,
  ];
}

/** The lines of a program that times the step's call once; a first call with empty disk caches, as the duet had. */
export function program({ kernel, backend, size, figure }) {
  const names = [kernel, backend].map((name) => JSON.stringify(visible(name)));
  const prepare = `case = prepare(${names.join(", ")}, ${Number(size)})`;
  if (figure === "cold_seconds")
    return [
      "import gc, time",
      "from jitkernels import prepare",
      "from jitkernels.backends import caches",
      "caches.forget()  # this process has empty disk caches",
      prepare,
      "case.start()",
      "gc.disable()",
      "begin = time.perf_counter()",
      "case.call()",
      'print(time.perf_counter() - begin, "seconds")',
    ];
  return [
    "import statistics, timeit",
    "from jitkernels import prepare",
    prepare,
    "case.check()",
    "case.settle()",
    "timeit.repeat(case.call, number=1, repeat=30)  # warm-up",
    'print(statistics.median(timeit.repeat(case.call, number=1, repeat=30)), "seconds")',
  ];
}

function block(lines) {
  return ["```", ...lines, "```"].join("\n");
}
