// Printing: every chart and every table is shown.

/** `drawAll` draws what has not been near the screen; printing by the keyboard waits for it. */
export function preparePrinting(drawAll) {
  let opened = [];
  window.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "p" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
    event.preventDefault();
    drawAll().finally(() => window.print());
  });
  window.addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll("details:not([open])")) {
      opened.push(details); // added to the list, because a browser may send this event twice
      details.fill?.();
      details.printed = true; // so that the address does not keep it as opened by the reader
      details.open = true;
    }
  });
  window.addEventListener("afterprint", () => {
    const closed = opened;
    opened = [];
    for (const details of closed) details.open = false;
    setTimeout(() => closed.forEach((details) => (details.printed = false)), 100); // after their "toggle" events
  });
}
