// The machines and environments of the numbers.

import { element, foreign, visible } from "../parts/dom.js";
import { bytes, counted, whole } from "../parts/format.js";
import { table } from "../parts/tables.js";

const NOT_RECORDED = "not recorded"; // a run of make ranking has neither
const AT_ONCE = 50; // environments of a machine; data/environments.json has all, which can be thousands

/** The nodes: a table of machines, and of each one's environments. */
export function environmentsView(page, { machines = [] }) {
  return [
    table({
      id: "machines",
      caption: "Machines",
      columns: [
        { key: "name", label: "Machine", head: true, cell: (machine) => foreign(machine.name) },
        { key: "processor", label: "Processor", cell: (machine) => foreign(machine.processor ?? "unknown") },
        { key: "cores", label: "Cores", number: true, cell: (machine) => visible(machine.cores ?? "") },
        {
          key: "ram",
          label: "Memory",
          number: true,
          cell: (machine) => (Number(machine.ram) ? bytes(Number(machine.ram)) : visible(machine.ram ?? NOT_RECORDED)),
        },
        { key: "os", label: "System", cell: (machine) => foreign(machine.os ?? NOT_RECORDED) },
      ],
      groups: [page.index.machines],
    }),
    machines.map(({ machine, environments }) =>
      list(page, page.index.machines.find(({ id }) => id === machine) ?? { id: machine, name: machine }, environments),
    ),
    rankedAlone(page.index.machines.filter(({ id }) => !machines.some(({ machine }) => machine === id))),
  ];
}

/** Why some machines have no environments; null without any. */
function rankedAlone(machines) {
  if (!machines.length) return null;
  const names = machines.map(({ name }, place) => [place ? ", " : "", foreign(name)]);
  return element("p", {}, names, ": only runs of ", element("code", {}, "make ranking"), " are stored, and none of asv’s results.");
}

function list(page, { id, name }, environments) {
  return element(
    "details",
    {
      id: `environments-${id}`,
      open: page.state.now.open.includes(`environments-${id}`),
      toggle: (event) => page.remember(event.target),
    },
    element(
      "summary",
      {},
      `${counted(environments.length, "environments")} on ${visible(name)}`,
    ),
    element(
      "ul",
      { class: "environments" },
      environments.slice(0, AT_ONCE).map((environment) => element("li", {}, environmentNodes(environment))),
    ),
    environments.length > AT_ONCE
      ? element(
          "p",
          {},
          `and ${whole(environments.length - AT_ONCE)} older ones, in `,
          element("a", { href: page.index.environments }, "the data file"),
          ".",
        )
      : null,
  );
}

function environmentNodes({ name, python, requirements, installed, results, newest }) {
  const installedPackages = Object.assign({}, ...Object.values(installed ?? {}));
  const packages = Object.keys(installedPackages).length ? installedPackages : (requirements ?? {});
  return [
    foreign(name),
    element("br"),
    element(
      "small",
      {},
      [
        `Python ${visible(python)}`,
        `${Object.keys(installedPackages).length ? "installed" : "required"} ` +
          Object.entries(packages)
            .map(([package_, version]) => `${visible(package_)} ${visible(version || "(newest)")}`)
            .join(", "),
        counted(results, "results"),
        newest ? `newest of ${visible(newest.short)}` : "",
      ]
        .filter(Boolean)
        .join("; "),
    ),
  ];
}
