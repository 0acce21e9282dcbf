// Tables that scroll in their own region and can be sorted by their headings.

import { element } from "./dom.js";
import { keepFocus } from "./focus.js";

/**
 * A table in its region.
 *
 * columns: {key, label, unit, number, sort(row) or none, cell(row) -> nodes, head: true for the row's name}.
 * groups: rows in groups; each is sorted within itself.
 * sort: "key" or "key:down", the current order; onsort(sort) is called when a reader chooses another. The table element's
 * resort(sort) sorts it again.
 */
export function table({ id, caption, columns, groups, sort = "", onsort, mark }) {
  const node = element("table", { id });
  node.resort = (sort) => {
    const [key, way] = sort.split(":");
    const sorting = columns.find((column) => column.key === key && column.sort);
    const restore = keepFocus();
    node.replaceChildren(
      element("caption", {}, element("span", {}, caption)),
      element(
        "thead",
        {},
        element(
          "tr",
          {},
          columns.map((column) => heading(column, sorting, way, onsort)),
        ),
      ),
      ...groups
        .filter((rows) => rows.length)
        .map((rows) =>
          element(
            "tbody",
            {},
            ordered(rows, sorting, way).map((row) =>
              element(
                "tr",
                { class: mark?.(row) },
                columns.map((column) => cell(column, row)),
              ),
            ),
          ),
        ),
    );
    restore();
  };
  node.resort(sort);
  return region(caption, node);
}

/** Content wider than a narrow screen, in a box that scrolls by itself, also by keys. */
export function region(name, content) {
  return element("div", { class: "region", role: "region", "aria-label": name, tabindex: "0" }, content);
}

function heading(column, sorting, way, onsort) {
  const unit = column.unit ? element("small", {}, ` ${column.unit}`) : null;
  const classes = [column.number && "number", column.class].filter(Boolean).join(" ") || null;
  if (!column.sort || !onsort) return element("th", { scope: "col", class: classes }, column.label, unit);
  const active = sorting === column;
  const next = active && way !== "down" ? `${column.key}:down` : column.key;
  return element(
    "th",
    { scope: "col", class: classes, "aria-sort": active ? (way === "down" ? "descending" : "ascending") : "none" },
    element(
      "button",
      { type: "button", class: "sort", click: () => onsort(next), "data-sort": column.key },
      column.label,
      unit,
    ),
  );
}

function cell(column, row) {
  const classes = [column.number && "number", column.class].filter(Boolean).join(" ") || null;
  return element(column.head ? "th" : "td", { scope: column.head ? "row" : null, class: classes }, column.cell(row));
}

function ordered(rows, sorting, way) {
  if (!sorting) return rows;
  const sign = way === "down" ? -1 : 1;
  return [...rows].sort((one, other) => {
    const [a, b] = [sorting.sort(one), sorting.sort(other)];
    if (a === b) return 0;
    if (a === null || a === undefined) return 1; // rows without a value come last in either order
    if (b === null || b === undefined) return -1;
    return sign * (typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b)));
  });
}
