// Keep the keyboard where it was when a part of the page is drawn anew.

const NAMES = ["data-figure", "data-sort", "data-backend", "data-view"];

/** Remember what has the focus; the function that it returns gives it to the element that took its place. */
export function keepFocus() {
  const focused = document.activeElement;
  const home = focused?.closest?.("[id]");
  if (!home || focused === document.body) return () => {};
  const name = NAMES.find((name) => focused.hasAttribute(name));
  const value = name && focused.getAttribute(name);
  return () => {
    if (focused.isConnected) return;
    const place = document.getElementById(home.id);
    const heir = name
      ? [...(place?.querySelectorAll(`[${name}]`) ?? [])].find((node) => node.getAttribute(name) === value)
      : place;
    heir?.focus({ preventScroll: true });
  };
}
