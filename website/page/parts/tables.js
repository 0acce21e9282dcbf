// Tables that scroll inside a region of their own and can be sorted by their columns' headings.

import { element } from "./dom.js";
import { keepFocus } from "./focus.js";

/**
 * A table in its region.
 *
 * columns: {key, label, unit, number, sort(row) or none, cell(row) -> nodes, head: the row's name stands here}.
 * groups: rows in groups; each is sorted within itself.
 * sort: "key" or "key:down", what is sorted by now; onsort(sort) is called with what a reader asks for. The table element's
 * resort(sort) sorts it anew.
 */
export function table({ id, caption, columns, groups, sort = "", onsort, mark }) {
  const made = element("table", { id });
  made.resort = (sort) => {
    const [key, way] = sort.split(":");
    const sorting = columns.find((column) => column.key === key && column.sort);
    const restore = keepFocus();
    made.replaceChildren(
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
  made.resort(sort);
  return region(caption, made);
}

/** What is wider than a narrow screen, in a box that scrolls by itself and can be focused to scroll by keys. */
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
    if (a === null || a === undefined) return 1; // what has no value comes last either way
    if (b === null || b === undefined) return -1;
    return sign * (typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b)));
  });
}
