// How often the gate is wrong, from the runs that calibrate it.

import { element, foreign, sentence, visible } from "../parts/dom.js";
import { counted, day, digits, listed, seconds, whole } from "../parts/format.js";
import { numbers, table } from "../parts/tables.js";

const NONE =
  "No machine’s calibration of the gate is stored. `python -m gate calibrate --runs 20 --json FILE` measures it; each of the " +
  "file’s `groups`, as a line of `results/MACHINE/gate.jsonl`, is shown here.";
const HOW =
  "`make gate` judges whether a change may land; docs/gate.md has its rules. `python -m gate calibrate --runs 20` repeats " +
  "this test of the gate, on any machine.";
const WORDS = { changed: "an exact figure changed", lost: "a benchmark that skips", wrong: "a wrong answer" };
const SEEN = { suspected: "the first look", believed: "the verdict" };
const ENOUGH = 0.95; // share of slowdowns that the gate should find

/** The nodes: for each machine and set of rules a sentence, a table of rates, and a table of each benchmark's noise. */
export function gateView(page, { groups }) {
  if (!groups.length) return [element("p", {}, sentence(NONE))];
  return [
    groups.map((group, place) => {
      const which = groups.length > 1 ? `, ${place + 1} of ${groups.length}` : ""; // so that no two tables have the same name
      return [
        element("p", {}, summary(group)),
        rates(page, group, `gate-rates-${place}`, which),
        noise(page, group, `gate-noise-${place}`, which),
      ];
    }),
    element("p", {}, sentence(HOW)),
  ];
}

function summary(group) {
  const [alarms] = group.rates;
  const judged = group.whole
    ? `${whole(group.cells)} benchmarks (of all kernels)`
    : `at most ${whole(group.cells)} benchmarks`;
  const kernels = group.kernels.map((name) => visible(name));
  const shorts = group.commits.map((commit) => visible(commit.slice(0, 8)));
  const days = [...new Set([day(group.since), day(group.until)])].join(" to ");
  return [
    `The gate judged two builds of the same code ${whole(group.runs)} times on ${visible(group.machine)} (`,
    foreign(group.processor),
    `, ${counted(group.cores, "cores")}), ${visible(days)}, commit ${shorts.join(", ")}. In all but ${whole(group.untouched)} of these verdicts a few `,
    `benchmarks had a fault, put in on purpose. False alarms: in ${counted(alarms.hits, "verdicts")}. `,
    `A verdict judged ${judged} in ${digits(group.minutes)} minutes (median), at most ${digits(group.most_minutes)}.`,
    kernels.length ? ` Each was on a change of one of these: ${listed(kernels)}.` : "",
  ];
}

function rates(page, group, id, which) {
  return table(page, {
    id,
    caption: `How often the gate saw a change, or raised a false alarm${which}`,
    columns: [
      { key: "done", label: "Change", head: true, cell: changeWords },
      { key: "by", label: "Seen by", cell: (rate) => SEEN[rate.by] ?? "the verdict" },
      { key: "hits", label: "Seen", number: true, cell: (rate) => whole(rate.hits) },
      { key: "of", label: "Verdicts", number: true, cell: (rate) => whole(rate.of) },
      { key: "rate", label: "Rate", unit: "95 % interval", number: true, cell: share },
    ],
    groups: [group.rates],
  });
}

function changeWords(rate) {
  if (rate.slower !== null) return `a warm call slower by ${Number((100 * rate.slower).toPrecision(2))} %`;
  return rate.done === "nothing" ? `nothing: ${visible(rate.by)}` : (WORDS[rate.done] ?? visible(rate.done));
}

function share({ hits, of, low, high }) {
  return of ? `${percent(hits / of)} (${percent(low)} to ${percent(high)})` : "";
}

function percent(fraction) {
  return `${digits(100 * fraction, 3)} %`;
}

function noise(page, group, id, which) {
  const sizes = Object.keys(group.noise.find(({ found }) => Object.keys(found).length)?.found ?? {});
  const known = group.noise.filter(({ found }) => sizes.length && sizes[0] in found);
  const sure = (size) => known.filter(({ found }) => found[size] >= ENOUGH).length;
  return page.details(
    id,
    [
      `How much processes of the same code differ, in ${whole(group.noise.length)} benchmarks`,
      ...sizes.map((size) => `slower by ${visible(size)} %: found in 95 % of verdicts for ${sure(size)} of ${known.length}`),
    ].join("; "),
    table(page, {
      id: `${id}-table`,
      caption: `By benchmark, the noisiest first${which}`,
      columns: [
        { key: "cell", label: "Benchmark", head: true, cell: (row) => foreign(row.cell), sort: (row) => row.cell },
        numbers("seconds", "A call", seconds),
        numbers("spread", "Processes differ by", percent),
        ...sizes.map((size) => {
          const rest = { of: ({ found }) => found[size], unit: "would be found" };
          return numbers(`found${size}`, `Slower by ${visible(size)} %`, percent, rest);
        }),
        { key: "runs", label: "Verdicts", number: true, cell: (row) => whole(row.runs) },
      ],
      groups: [group.noise],
    }),
  );
}
