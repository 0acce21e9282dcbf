// A choice from a list, with its label.

import { element, visible } from "./dom.js";
import { counted } from "./format.js";

/** options: [value, text]; chosen: a value; change(value) is called with what a reader chooses. */
export function choice(id, label, options, chosen, change) {
  const option = ([value, text]) => element("option", { value, selected: value === chosen }, visible(text));
  const select = element("select", { id, change: (event) => change(event.target.value) }, options.map(option));
  return element("p", {}, element("label", { for: id }, label), select);
}

/** A kernel's option. */
export function kernelOption({ name, what }) {
  return [name, what ? `${name}: ${what}` : name];
}

/** A machine's option. */
export function machineOption(machine) {
  const cores = machine.cores ? counted(machine.cores, "cores") : "cores unknown";
  return [machine.id, `${machine.name}: ${machine.processor ?? "processor unknown"}, ${cores}`];
}
