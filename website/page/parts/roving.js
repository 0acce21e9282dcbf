// One stop of the Tab key for a group of buttons, in which the arrow keys move.

/** Group the elements of `selector` in `box`; `grid`: of a table, whose columns the up and down keys follow. */
export function roving(box, selector, { grid = false } = {}) {
  const all = () => [...box.querySelectorAll(selector)];
  const choose = (chosen) => {
    for (const node of all()) node.tabIndex = node === chosen ? 0 : -1;
  };
  choose(all()[0]);
  box.addEventListener("focusin", (event) => event.target.matches(selector) && choose(event.target));
  box.addEventListener("keydown", (event) => {
    const nodes = all();
    const place = nodes.indexOf(event.target);
    const next =
      place < 0 || event.ctrlKey || event.altKey || event.metaKey ? undefined : destination(event.key, nodes, place, grid);
    if (!next) return;
    event.preventDefault();
    next.focus();
  });
}

function destination(key, nodes, place, grid) {
  if (key === "ArrowRight") return nodes[place + 1];
  if (key === "ArrowLeft") return nodes[place - 1];
  if (key === "Home") return nodes[0];
  if (key === "End") return nodes.at(-1);
  if (!grid || (key !== "ArrowDown" && key !== "ArrowUp")) return undefined;
  const column = nodes[place].closest("td, th").cellIndex;
  const line = key === "ArrowDown" ? nodes.slice(place + 1) : nodes.slice(0, place).reverse();
  return line.find((node) => node.closest("td, th").cellIndex === column);
}
