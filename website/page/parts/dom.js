// Elements, built without HTML: text from results or commits stays text.

const SVG = "http://www.w3.org/2000/svg";
const DIRECTION = /[\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u0000-\u0008\u000b-\u001f\u007f-\u009f]/gu;

/**
 * Create an element. Attributes that are functions become listeners, those that are lists (of classes) one text; null and
 * false are left out.
 */
export function element(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** Create an element of an SVG drawing. */
export function svgElement(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** Text from results, with signs that are invisible or change the reading direction as codes: U+202E. */
export function visible(text) {
  const code = (sign) => `[U+${sign.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}]`;
  return String(text ?? "").replace(DIRECTION, code);
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
  const parts = visible(text).split("_");
  return element("bdi", {}, parts.map((part, place) => (place ? ["_", element("wbr"), part] : part)));
}

/** Nodes with commas between them. */
export function commas(nodes) {
  return nodes.map((node, place) => [place ? ", " : "", node]);
}

/** A list of a class, with an item for each of the nodes that are not false. */
export function list(name, items) {
  return element("ul", { class: name }, items.filter(Boolean).map((item) => element("li", {}, item)));
}

/** The element of that id. */
export function byId(id) {
  return document.getElementById(id);
}

/** Text only for screen readers. */
export function unseen(text) {
  return element("span", { class: "unseen" }, text);
}

function fill(node, attributes, children) {
  for (const [name, given] of Object.entries(attributes)) {
    const value = Array.isArray(given) ? given.filter(Boolean).join(" ") || null : given;
    if (typeof value === "function") node.addEventListener(name, value);
    else if (isSome(value)) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter(isSome));
  return node;
}

function isSome(value) {
  return value !== null && value !== undefined && value !== false;
}
