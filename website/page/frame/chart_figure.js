// A chart with its heading, the legend that hides backends, and the table of the same numbers.

import { draw } from "./charts.js";
import { commas, element, foreign, sentence, visible } from "../parts/dom.js";
import { quantity } from "../parts/format.js";
import { roving } from "../parts/roving.js";
import { table, withValues } from "../parts/tables.js";

const FOR_A_LEGEND = 2; // backends; one alone needs no legend

/**
 * A figure element with the method `drawChart()`. If there are no rows: a heading and a sentence.
 *
 * chart: its entries in the page's views and in the charts' descriptions; `view`: its section; `reading`: its rows in a
 * sentence.
 */
export function chartFigure(page, chart, rows) {
  const title = page.withUnit(chart.title);
  if (!rows.length) return missing(page, chart, title);
  const label = `${title}. The table below has the same numbers.`;
  const node = element("div", { class: "chart", role: "img", "aria-label": label });
  const problem = element("p", { class: "notice", hidden: true });
  const reading = chart.reading ? element("p", {}, chart.reading) : null;
  const what = element("p", { class: "what" }, page.withUnit(chart.what));
  const figure = element(
    "figure",
    { id: `chart-${chart.name}`, class: "chart-figure" },
    element("figcaption", {}, element("h3", {}, title), reading, what),
    legend(page, title, rows),
    element("div", { class: "region", role: "region", tabindex: "0", "aria-label": `Chart: ${title}` }, node),
    problem,
    tableOf(page, chart, title, rows),
  );
  const tip = (text, place) => (text === null ? page.tip.hide() : page.tip.show(text, place));
  const pick = (datum) => openFigure(page, datum);
  figure.drawChart = async () => {
    try {
      const shown = rows.filter((row) => !page.isHidden(row.backend));
      await draw(node, chart, shown, page, { tip, pick });
      node.dataset.drawn = "yes";
    } catch (error) {
      problem.replaceChildren(...sentence(error.message));
      problem.hidden = false;
      node.hidden = true;
    }
  };
  return figure;
}

function missing(page, chart, title) {
  return element(
    "div",
    { id: `chart-${chart.name}`, class: "chart-figure missing" },
    element("h3", {}, title),
    element("p", {}, sentence(page.whyEmpty(chart))),
    elsewhere(page, chart),
  );
}

/** Links to the kernels that have this chart on the same machine, or else to other machines; null if none has it. */
function elsewhere(page, chart) {
  const kernels = page.kernelsWith(chart);
  const machines = page.machinesWith(chart);
  const link = (name, change) => {
    const href = page.state.address({ ...change, size: "", figure: "", view: chart.view });
    const data = Object.entries(change).map(([key, value]) => [`data-${key}`, value]);
    return element("a", { href, ...Object.fromEntries(data) }, visible(name));
  };
  const drawn = kernels.map((kernel) => link(kernel, { kernel }));
  if (drawn.length) return element("p", {}, "On this machine it is drawn for ", commas(drawn), ".");
  return machines.length ? element("p", {}, "It is measured on ", commas(machines.map((one) => link(...one))), ".") : null;
}

function legend(page, title, rows) {
  const there = new Set(rows.map((row) => row.backend).filter(Boolean));
  const backends = [...new Set([...page.backends.keys(), ...there])].filter((name) => there.has(name));
  if (backends.length < FOR_A_LEGEND) return null;
  const button = (backend) => {
    const click = () => page.toggle(backend);
    const pressed = String(!page.isHidden(backend));
    const about = { type: "button", "aria-pressed": pressed, "data-backend": visible(backend), click };
    return element("button", about, page.backendName(backend));
  };
  const about = { class: "legend", role: "toolbar", "aria-label": `Backends shown: ${title}` };
  const box = element("div", about, backends.map(button));
  roving(box, "button");
  return box;
}

/** Show where a mark comes from, if it stands for a figure. */
function openFigure(page, datum) {
  const figure = typeof datum.backend === "string" ? page.chartFigureName(datum) : undefined;
  if (figure) page.state.change({ figure });
}

function tableOf(page, chart, title, rows) {
  const details = page.details(`table-${chart.name}`, `Table: ${title}`);
  details.fill = () =>
    details.children.length === 1 &&
    details.append(
      table(page, {
        id: `rows-${chart.name}`,
        caption: `${title}: ${page.subject(chart)}`,
        columns: withValues(rows, chart.fields.map((field) => column(page, chart, field))),
        groups: [rows],
      }),
    );
  if (details.open) details.fill();
  details.addEventListener("toggle", () => details.open && details.fill());
  return details;
}

function column(page, chart, { name, title, unit }) {
  const text = unit === "text";
  return {
    key: name,
    label: page.withUnit(title),
    unit: text ? null : unit,
    number: !text,
    head: name === "name",
    class: name === "name" ? "backend" : null,
    sort: (row) => row[name],
    cell: (row) => {
      if (name === "name") return row.backend ? page.backendName(row.backend, row.interpreted) : foreign(row.name);
      if (typeof row[name] === "string") return foreign(page.withUnit(row[name]));
      const written = quantity(row[name], unit);
      return name === chart.value && written ? page.chartButton(row, written) : written;
    },
  };
}
