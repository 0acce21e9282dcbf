// Tables that scroll in their own region and can be sorted by their headings.

import { element } from "./dom.js";
import { keepFocus } from "./focus.js";
import { isNumber } from "./format.js";

/**
 * A table in its region, in the order that the page's state has for it; the table element's resort() sorts it again.
 *
 * columns: {key, label, unit, number, sort(row) or none, cell(row) -> nodes, head: true for the row's name}.
 * groups: rows in groups; each is sorted within itself. mark(row): the classes of its line.
 */
export function table(page, { id, caption, columns, groups, mark }) {
  const node = element("table", { id });
  const sort = (order) => page.sortBy(id, order);
  node.resort = () => {
    const [key, way] = page.sortOf(id).split(":");
    const sorting = columns.find((column) => column.key === key && column.sort);
    const restore = keepFocus();
    const headings = columns.map((column) => heading(column, sorting, way, sort));
    const line = (row) => element("tr", { class: mark?.(row) }, columns.map((column) => cell(column, row)));
    const body = (rows) => element("tbody", {}, ordered(rows, sorting, way).map(line));
    node.replaceChildren(
      element("caption", {}, element("span", {}, caption, sorting ? ` (now sorted by ${sorting.label})` : "")),
      element("thead", {}, element("tr", {}, headings)),
      ...groups.filter((rows) => rows.length).map(body),
    );
    restore();
  };
  node.resort();
  return region(caption, node);
}

/**
 * A column of numbers by which the table can be sorted.
 *
 * write(number, row): its nodes; of(row): the number; none(row): the nodes without a number; more: other parts of the column.
 */
export function numbers(key, label, write, { of = (row) => row[key], none = () => null, ...more } = {}) {
  const cell = (row) => (isNumber(of(row)) ? write(of(row), row) : none(row));
  return { key, label, number: true, sort: of, cell, ...more };
}

/** The columns by which rows can be sorted and in which some row has a value. */
export function withValues(rows, columns) {
  return columns.filter(({ sort }) => rows.some((row) => !isEmpty(sort(row))));
}

/** Content wider than a narrow screen, in a box that scrolls by itself, also by keys. */
export function region(name, content) {
  return element("div", { class: "region", role: "region", "aria-label": name, tabindex: "0" }, content);
}

function heading(column, sorting, way, sort) {
  const unit = column.unit ? element("small", {}, ` ${column.unit}`) : null;
  const about = { scope: "col", class: classes(column) };
  if (!column.sort) return element("th", about, column.label, unit);
  const direction = sorting !== column ? "none" : way === "down" ? "descending" : "ascending";
  const next = { none: column.key, ascending: `${column.key}:down`, descending: "" }[direction]; // "": the first order
  const pressing = { type: "button", class: "sort", click: () => sort(next), "data-sort": column.key };
  return element("th", { ...about, "aria-sort": direction }, element("button", pressing, column.label, unit));
}

function cell(column, row) {
  return element(column.head ? "th" : "td", { scope: column.head ? "row" : null, class: classes(column) }, column.cell(row));
}

function classes(column) {
  return [column.number && "number", column.class];
}

function ordered(rows, sorting, way) {
  if (!sorting) return rows;
  const sign = way === "down" ? -1 : 1;
  return [...rows].sort((one, other) => {
    const [a, b] = [sorting.sort(one), sorting.sort(other)];
    if (a === b) return 0;
    if (isEmpty(a)) return 1; // rows without a value come last in either order
    if (isEmpty(b)) return -1;
    return sign * (isNumber(a) && isNumber(b) ? a - b : String(a).localeCompare(String(b)));
  });
}

function isEmpty(value) {
  return value === null || value === undefined;
}
