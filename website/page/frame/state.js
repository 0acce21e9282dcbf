// What the page shows, in the address: a link gives another reader the same view, and the browser's back button goes back.

const LISTS = ["hide", "open"]; // of names
const WORDS = ["compiler", "kernel", "machine", "size", "view", "sort", "figure"];

/** The state that an address's hash holds; whatever is not in it is "" or []. */
export function parse(hash) {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const state = {};
  for (const name of WORDS) state[name] = given.get(name) ?? "";
  for (const name of LISTS) state[name] = (given.get(name) ?? "").split(",").filter(Boolean).map(decoded);
  return state;
}

/** The hash of a state: what is empty is left out. */
export function format(state) {
  const given = new URLSearchParams();
  for (const name of WORDS) if (state[name]) given.set(name, state[name]);
  for (const name of LISTS) if (state[name].length) given.set(name, state[name].map(encodeURIComponent).join(","));
  return `#${given}`.replaceAll("%2C", ",").replaceAll("%2F", "/");
}

/** The one state of a page, and those who want to know of its changes. */
export class State {
  #listeners = [];

  constructor(view) {
    this.window = view;
    this.now = parse(view.location.hash);
    view.addEventListener("popstate", () => this.#become(parse(view.location.hash)));
  }

  onchange(listener) {
    this.#listeners.push(listener);
  }

  /** Show something else, as a new step of the browser's history, or in place of the present one. */
  change(part, { replace = false } = {}) {
    const next = { ...this.now, ...part };
    if (format(next) === format(this.now)) return;
    this.window.history[replace ? "replaceState" : "pushState"](null, "", format(next));
    this.#become(next);
  }

  /** The address of the present state with something changed. */
  address(part) {
    return format({ ...this.now, ...part });
  }

  #become(next) {
    const before = this.now;
    this.now = next;
    for (const listener of this.#listeners) listener(next, before);
  }
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a per cent sign that was typed by hand
  }
}
