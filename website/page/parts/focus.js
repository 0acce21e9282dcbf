// Keep the keyboard's focus when a part of the page is redrawn.

const NAMES = ["data-figure", "data-sort", "data-backend", "data-view"];

/** Return a function that gives the focus to the element that took the place of the focused one. */
export function keepFocus() {
  const focused = document.activeElement;
  const home = focused?.closest?.("[id]");
  if (!home || focused === document.body) return () => {};
  const name = NAMES.find((name) => focused.hasAttribute(name));
  const value = name && focused.getAttribute(name);
  return () => {
    if (focused.isConnected) return;
    const place = document.getElementById(home.id);
    const successor = name ? place?.querySelector(`[${name}="${CSS.escape(value)}"]`) : (place?.querySelector("h2") ?? place);
    successor?.focus({ preventScroll: true });
  };
}
