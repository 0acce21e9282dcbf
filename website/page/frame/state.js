// What the page shows is in the address: a link shows another reader the same view, and the browser's back button works.

const LISTS = ["hide", "open"]; // of names
const WORDS = ["backend", "compiler", "kernel", "machine", "size", "threads", "view", "sort", "figure", "from", "to", "at"];

/** The state in an address's hash; what the hash lacks is "" or []. */
export function parse(hash) {
  const query = new URLSearchParams(hash.replace(/^#/, ""));
  const state = {};
  for (const name of WORDS) state[name] = query.get(name) ?? "";
  for (const name of LISTS) state[name] = (query.get(name) ?? "").split(",").filter(Boolean).map(decode);
  return state;
}

/** The hash of a state, without what is empty. */
export function format(state) {
  const query = new URLSearchParams();
  for (const name of WORDS) if (state[name]) query.set(name, state[name]);
  for (const name of LISTS) if (state[name].length) query.set(name, state[name].map(encodeURIComponent).join(","));
  return `#${query}`.replaceAll("%2C", ",").replaceAll("%2F", "/");
}

/** The state of a page; onchange(next, before) is called at each change. */
export class State {
  onchange = () => {};

  constructor(view) {
    this.window = view;
    this.now = parse(view.location.hash);
    view.addEventListener("popstate", () => this.#become(parse(view.location.hash)));
  }

  /** Change a part of the state, as a new entry of the browser's history or in place of the current one. */
  change(part, { replace = false } = {}) {
    const next = { ...this.now, ...part };
    if (format(next) === format(this.now)) return;
    this.window.history[replace ? "replaceState" : "pushState"](null, "", format(next));
    this.#become(next);
  }

  /** The address of the current state with a part changed. */
  address(part) {
    return format({ ...this.now, ...part });
  }

  #become(next) {
    const before = this.now;
    this.now = next;
    this.onchange(next, before);
  }
}

/** The text in a part of an address. */
export function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a percent sign that a reader typed
  }
}
