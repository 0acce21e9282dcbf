// Elements, made without HTML: whatever comes from results or commits can only ever become text.

const SVG = "http://www.w3.org/2000/svg";
const DIRECTION = /[\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u0000-\u0008\u000b-\u001f\u007f-\u009f]/gu;

/** An element; attributes that are functions become listeners, those that are null or false are left out. */
export function element(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** An element of a drawing. */
export function drawn(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

/** Text from elsewhere, with what is invisible or turns the reading direction spelled out: U+202E. */
export function visible(text) {
  return String(text ?? "").replace(
    DIRECTION,
    (sign) => `[U+${sign.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}]`,
  );
}

/** Text from elsewhere as an element of its own, so that its direction does not reach its neighbours. */
export function foreign(text, attributes = {}) {
  return element("bdi", attributes, visible(text));
}

/** A sentence whose commands stand between backticks, as nodes. */
export function sentence(text) {
  return visible(text)
    .split("`")
    .map((part, place) => (place % 2 ? element("code", {}, part) : part));
}

/** A name with places where a line may break: after its underscores. */
export function breakable(text) {
  return element(
    "bdi",
    {},
    visible(text)
      .split("_")
      .map((part, place) => (place ? ["_", element("wbr"), part] : part)),
  );
}

/** What is only said, by a screen reader. */
export function unseen(text) {
  return element("span", { class: "unseen" }, text);
}

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}
