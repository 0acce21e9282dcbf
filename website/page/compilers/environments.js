// The machines and environments of the numbers.

import { commas, element, foreign, list, visible } from "../parts/dom.js";
import { bytes, counted, versions, whole } from "../parts/format.js";
import { table } from "../parts/tables.js";

const NOT_RECORDED = "not recorded"; // a run of make ranking has neither
const AT_ONCE = 50; // environments of a machine; data/environments.json has all, which can be thousands

/** The nodes: a table of machines, and of each one's environments. */
export function environmentsView(page, { machines }) {
  return [
    table(page, {
      id: "machines",
      caption: "Machines",
      columns: [
        { key: "name", label: "Machine", head: true, cell: (machine) => machineLink(page, machine) },
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
    machines.map(({ machine, environments }) => machineDetails(page, machine, environments)),
    rankedAlone(page.index.machines.filter(({ id }) => !machines.some(({ machine }) => machine === id))),
  ];
}

/** A machine's name, which shows its first kernel. */
function machineLink(page, { id, name, kernels }) {
  const [kernel] = Object.keys(kernels);
  const href = page.state.address({ machine: id, kernel, size: "", figure: "", view: "answer" });
  return element("a", { href }, foreign(name));
}

/** Why some machines have no environments; null if all have some. */
function rankedAlone(machines) {
  if (!machines.length) return null;
  const names = machines.map(({ name }) => foreign(name));
  return element("p", {}, commas(names), ": no results of asv are stored, so no environments are listed.");
}

function machineDetails(page, id, environments) {
  const summary = `${counted(environments.length, "environments")} on ${page.machineName(id)}`;
  const shown = list("environments", environments.slice(0, AT_ONCE).map(environmentNodes));
  const link = element("a", { href: page.index.environments }, "the data file");
  const older = environments.length - AT_ONCE;
  const rest = older > 0 ? element("p", {}, `and ${whole(older)} older ones, in `, link, ".") : null;
  return page.details(`environments-${id}`, summary, shown, rest);
}

function environmentNodes({ name, python, requirements, installed, results, newest }) {
  const own = versions(Object.assign({}, ...Object.values(installed)));
  const facts = [
    `Python ${visible(python)}`,
    visible(own ? `installed ${own}` : `required ${versions(requirements)}`),
    counted(results, "results"),
    `newest: commit ${visible(newest.short)}`,
  ];
  return [foreign(name), element("br"), element("small", {}, facts.join("; "))];
}
