// Kernel, machine and size: what all the views show.

import { choice, ofKernel, ofMachine } from "./choice.js";
import { element } from "./dom.js";
import { whole } from "./format.js";

/** Put the controls into their section. */
export function controls(page, section) {
  const focused = document.activeElement?.id;
  section.replaceChildren(
    choice("kernel", "Kernel", page.kernels.map(ofKernel), page.kernel.name, (kernel) =>
      page.state.change({ kernel, size: "", figure: "" }),
    ),
    choice("machine", "Machine", page.machines.map(ofMachine), page.machine.id, (machine) =>
      page.state.change({ machine, size: "", figure: "" }),
    ),
    sizes(page),
  );
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

function sizes(page) {
  const chosen = page.ranking?.size;
  return element(
    "fieldset",
    {},
    element("legend", {}, `Size, in ${page.unit}`),
    page.data.rankings.map(({ size }) =>
      element(
        "label",
        {},
        element("input", {
          type: "radio",
          name: "size",
          id: `size-${size}`,
          value: size,
          checked: size === chosen,
          change: () => page.state.change({ size: String(size) }),
        }),
        element("span", {}, whole(size)),
      ),
    ),
  );
}
