// Elements, built without HTML: text from results or commits stays text.

const SVG = "http://www.w3.org/2000/svg";
const DIRECTION = /[\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u0000-\u0008\u000b-\u001f\u007f-\u009f]/gu;

/** Create an element. Attributes that are functions become listeners; null and false are left out. */
export function element(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** Create an element of an SVG drawing. */
export function svgElement(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** Text from results, with signs that are invisible or change the reading direction as codes: U+202E. */
export function visible(text) {
  return String(text ?? "").replace(
    DIRECTION,
    (sign) => `[U+${sign.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}]`,
  );
}

/** Text from results as an element of its own, so that its reading direction does not affect its neighbours. */
export function foreign(text, attributes = {}) {
  return element("bdi", attributes, visible(text));
}

/** The nodes of a sentence whose commands are between backticks. */
export function sentence(text) {
  return visible(text)
    .split("`")
    .map((part, place) => (place % 2 ? element("code", {}, part) : part));
}

/** A name that a line may break after its underscores. */
export function breakable(text) {
  return element(
    "bdi",
    {},
    visible(text)
      .split("_")
      .map((part, place) => (place ? ["_", element("wbr"), part] : part)),
  );
}

/** Text for screen readers alone. */
export function unseen(text) {
  return element("span", { class: "unseen" }, text);
}

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}
