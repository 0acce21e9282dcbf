// Paper shows everything: each chart and each table.

/** `drawAll` fetches and draws what has not come near the screen; a reader's own print command waits for it. */
export function preparePrinting(drawAll) {
  let opened = [];
  window.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "p" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
    event.preventDefault();
    drawAll().finally(() => window.print());
  });
  window.addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details:not([open])")];
    for (const details of opened) {
      details.fill?.();
      details.printed = true; // so that its opening is no wish of the reader's
      details.open = true;
    }
  });
  window.addEventListener("afterprint", () => {
    for (const details of opened) details.open = false;
    setTimeout(() => opened.forEach((details) => (details.printed = false)));
  });
}
