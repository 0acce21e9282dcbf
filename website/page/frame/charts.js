// Vega's charts. The library is fetched when the first chart comes near the screen, and never evaluates text as code.

import { load } from "./data.js";
import { visible } from "../parts/dom.js";

const LIBRARY = "charts/vega.js";
const FADED = 0.14; // opacity of the grid, whose colour is that of the text, so that it stays behind the marks
const NARROWEST = 300; // pixels: on a narrower screen the chart scrolls in its region
const AXIS = 80; // pixels beside a view, for its axis
let library;

/**
 * Draw a chart of flat rows into a node, as wide as the node is.
 *
 * chart: {name, width, across}; page: its `unit`, the word for what sizes count, and its `looks`. `tip(text, place)` shows a
 * mark's words, or hides them for null; `pick(datum)` is called for a click on a mark.
 */
export async function draw(node, chart, rows, { unit, looks }, { tip, pick }) {
  const [embed, spec] = await Promise.all([vega(), load(`charts/${chart.name}.json`)]);
  const render = async (room) => {
    node.vega?.finalize();
    node.vega = await embed(
      node,
      { ...fit(withUnit(spec, unit), chart, room), datasets: { ...spec.datasets, rows: withUnit(rows, unit) } },
      options,
    );
    return node.querySelector("svg").width.baseVal.value;
  };
  const options = {
    actions: false,
    ast: true, // expressions are interpreted: the page's policy forbids eval
    config: configOf(looks),
    logLevel: 1, // only errors: Vega warns of an empty layer, as that of steps in a view without a step
    defaultStyle: false, // its style element would be inline; figures.css has what is needed
    mode: "vega-lite",
    renderer: "svg",
    tooltip: (_, event, __, value) => words(value, event, tip),
  };
  const room = node.clientWidth;
  const width = await render(room);
  if (width > room && room > NARROWEST) await render(Math.max(NARROWEST, 2 * room - width)); // for labels that took more room
  node.querySelector("svg").setAttribute("aria-hidden", "true"); // the node itself has a name
  node.vega.view.addEventListener("click", (_, item) => item?.datum && pick(item.datum));
}

/** Vega's config. The chart is one image with a table beside it, so its marks have no labels for screen readers. */
function configOf({ config }) {
  return { ...config, aria: false, axis: { ...config.axis, gridOpacity: FADED } };
}

/** A specification, or rows, with this kernel's word for its sizes. */
function withUnit(json, unit) {
  return transform(json, (_, value) => (typeof value === "string" ? value.replaceAll("{size}", unit) : value));
}

/** The specification as wide as there is room: one view with its axes, or as many side by side as fit. */
function fit(spec, { width, across }, room) {
  const single = !("facet" in spec || "hconcat" in spec || "vconcat" in spec || "concat" in spec || "repeat" in spec);
  if (single && across === 1)
    return { ...spec, width: Math.max(NARROWEST, room), autosize: { type: "fit-x", contains: "padding" } };
  const beside = Math.max(1, Math.min(across, Math.floor(room / (width + AXIS))));
  const each = Math.max(NARROWEST - AXIS, Math.floor(room / beside) - AXIS);
  return transform(spec, (key, value) =>
    key === "width" && value === width ? each : key === "columns" && value === across ? beside : value,
  );
}

/** A copy of JSON, each value replaced by what `replace(key, value)` gives for it. */
function transform(value, replace) {
  return JSON.parse(JSON.stringify(value), replace);
}

function vega() {
  library ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = LIBRARY;
    script.addEventListener("load", () => resolve(window.vegaEmbed));
    script.addEventListener("error", () => {
      library = undefined;
      reject(new Error(`${LIBRARY} could not be fetched: the tables beneath the charts have the same numbers.`));
    });
    document.head.append(script);
  });
  return library;
}

/** Show the tip of a mark; `lines`: its values by their names, or null. */
function words(lines, event, tip) {
  if (!lines) return tip(null);
  const known = Object.entries(lines).filter(([, value]) => value !== "");
  const text = known.map(([name, value]) => `${visible(name)}: ${visible(value)}`).join("\n");
  tip(text, { left: event.clientX + 12, right: event.clientX + 12, top: event.clientY - 4, bottom: event.clientY + 12 });
}
