// The dialog of one figure: where it comes from, and the command that repeats it.

import { element, foreign, visible } from "../parts/dom.js";
import { counted, isNumber, quantity, versions } from "../parts/format.js";
import { decode } from "./state.js";

const SETTLED = { true: "yes", false: "no: the time of a call still drifted while it was measured" };
const WARM = /\.(Warm|Apart|Loop)\./;
const COLD = "cold: an answer was checked before each call, so some calls of arrays took longer than in later measurements";
/** The facts in place of a figure that there is not, or whose file can't be read. */
const NOT_FOUND = {
  title: "This number",
  figure: { value: "Not found", unit: null },
  more: [["Why", "There is no such number here, or its file could not be fetched."]],
};

/** The name of a figure in the address. */
export function figureName(...parts) {
  return parts.map(encodeURIComponent).join("/");
}

/** The parts of such a name. */
export function figureParts(name) {
  return name.split("/").map(decode);
}

/** One line about a figure, for a tip. */
export function tipText({ figure, source, backend }) {
  const spread = spreadWords(figure);
  return [
    `${quantity(figure.value, figure.unit)}${spread ? ` (${spread})` : ""}`,
    [installedWords(source, backend) || source?.environment, source?.short && `commit ${source.short}`]
      .filter(Boolean)
      .join(" · "),
    [source?.processor, threadWords(source, backend)].filter(Boolean).join(", "),
    figure.settled === false ? "Its time still drifted while it was measured." : "",
    "Select it for all details, and for the command that repeats it.",
  ]
    .filter(Boolean)
    .join("\n");
}

/** Fill a dialog with the facts of a figure. Only some have `more`, pairs of a name and nodes, `text`, and a `machine` of their own. */
function fillDialog(dialog, facts, close) {
  const { title, figure } = facts;
  const status = element("span", { role: "status" });
  const command = figure.command ?? "";
  const code = element("code", { tabindex: "0" }, visible(command));
  const text = facts.text ? element("pre", { class: "text", tabindex: "0" }, facts.text) : null;
  const copying = (label, words, node) =>
    words && element("button", { type: "button", class: "copy", click: () => copy(words, node, status) }, label);
  const content = [
    element("h2", { id: "provenance-title" }, title),
    element("p", { class: "large" }, quantity(figure.value, figure.unit)),
    element("dl", {}, factNodes(pairsOf(facts))),
    text,
    command ? element("p", { class: "command" }, element("span", {}, figure.pairs ? "Repeat its duet: " : "Repeat it: "), code) : null,
    element(
      "p",
      { class: "actions" },
      copying("Copy the command", command, code),
      copying("Copy the text", facts.text, text),
      element("button", { type: "button", class: "close", click: close }, "Close"),
      status,
    ),
  ];
  dialog.replaceChildren(...content.filter(Boolean));
}

/** Pairs of a fact's name and its nodes, which are null, undefined, false or "" if the fact is not known. */
function pairsOf({ figure, source, backend, machine, history, interpreted, more = [] }) {
  const { value, unit } = figure;
  const spread = spreadWords(figure) || (!figure.pairs && "none: it is computed, not sampled");
  const exact = isNumber(value) && !Number.isInteger(value) && [value, unit].filter(Boolean).join(" ");
  const curves = history && [" ", element("a", { href: history }, "its history")];
  const processor = [source?.processor, source?.cores && counted(source.cores, "cores")].filter(Boolean).join(", ");
  return [
    ...more,
    [spreadName(figure), unit !== null && spread],
    ["Exactly", exact],
    ["Settled", SETTLED[figure.settled]],
    ["How it ran", interpreted && "interpreted: nothing was compiled, so this is not the compiler’s speed"],
    ["Caches", source?.cold && WARM.test(figure.benchmark) && COLD],
    ["Benchmark", figure.benchmark && [foreign(figure.benchmark), curves]],
    ["Commit", source && commitNodes(source)],
    ["Installed", source?.installed && foreign(installedWords(source, backend) || "not recorded; see Required")],
    ["Required", source?.requirements && foreign(versions(source.requirements))],
    ["Variables", Object.keys(source?.settings ?? {}).length > 0 && foreign(versions(source.settings))],
    ["Not as required", mismatchWords(source, backend)],
    ["Python", source?.python && foreign(source.python)],
    ["Machine", foreign(machine)],
    ["Processor", source?.processor && foreign(processor)],
    ["Threads", source?.threads && (threadWords(source, backend) || "not recorded")],
    ["Device", source?.device && foreign(source.device)],
    ["Library", source?.library && foreign(source.library)],
    ["Environment", source?.environment && foreign(source.environment)],
  ];
}

function commitNodes({ short, subject, date }) {
  return [element("code", {}, visible(short)), " ", foreign(subject ?? ""), date ? `, ${visible(date)}` : ""];
}

/** What a figure's low and high are. */
function spreadName({ pairs, processes }) {
  if (pairs) return "95 % interval of its ratio to the newest release with a number, in seconds";
  return processes ? "From the fastest process to the slowest" : "Quartiles of the samples";
}

export class FigureDialog {
  constructor(page, dialog) {
    this.page = page;
    this.dialog = dialog;
    dialog.addEventListener("close", () => page.state.now.figure && page.state.change({ figure: "" }));
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close()); // on its backdrop
  }

  /** Open the dialog for the figure that the state names, or close it. */
  async show() {
    const name = this.page.state.now.figure;
    const facts = name && ((await this.page.factsNamed(name)) ?? NOT_FOUND);
    if (name !== this.page.state.now.figure) return; // the reader chose another one meanwhile
    if (!facts) {
      if (this.dialog.open) this.dialog.close();
      return;
    }
    fillDialog(this.dialog, { machine: this.page.machine.name, ...facts }, () => this.dialog.close());
    if (!this.dialog.open) this.dialog.showModal();
  }
}

/** "350 µs to 357 µs, 10 samples", or of processes. */
function spreadWords({ low, high, samples, processes, unit }) {
  const count = processes ? counted(processes, "processes") : samples ? counted(samples, "samples") : "";
  if (!isNumber(low) || !isNumber(high)) return count;
  return `${quantity(low, unit)} to ${quantity(high, unit)}${count ? `, ${count}` : ""}`;
}

/** The packages that a backend ran with. */
function installedWords(source, backend) {
  return versions(source?.installed?.[backend] ?? {});
}

/** "numpy: installed 2.4.5, required 2.4.6", of the packages that a backend ran with; null if all are as required. */
function mismatchWords(source, backend) {
  const own = source?.installed?.[backend] ?? {};
  const differ = (source?.mismatches ?? []).filter((one) => own[one.package] === one.installed);
  const words = differ.map((one) => `${one.package}: installed ${one.installed}, required ${one.asked}`);
  return words.length ? foreign(words.join("; ")) : null;
}

function threadWords(source, backend) {
  const number = source?.threads?.[backend];
  return number ? counted(number, "threads") : "";
}

function factNodes(pairs) {
  return pairs
    .filter(([, value]) => value !== null && value !== undefined && value !== "" && value !== false)
    .map(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]);
}

async function copy(text, code, status) {
  try {
    await navigator.clipboard.writeText(text);
    status.textContent = "Copied.";
  } catch {
    // without https or permission there is no clipboard: the text is selected, so that one key copies it
    getSelection().selectAllChildren(code);
    status.textContent = "Selected: copy it with your keyboard.";
  }
}
