// Elements that are drawn only when they come near the screen.

const BELOW = "300px"; // of the screen

export class Near {
  #waiting = new Map(); // the function that draws, by element
  #observer = new IntersectionObserver((entries) => this.#drawNear(entries), { rootMargin: BELOW });

  /** Call `draw` once, when the node is near. */
  when(node, draw) {
    this.forget(node);
    this.#waiting.set(node, draw);
    this.#observer.observe(node);
  }

  forget(node) {
    this.#waiting.delete(node);
    this.#observer.unobserve(node);
  }

  /** Draw everything, near or not. */
  async all() {
    while (this.#waiting.size) await Promise.all([...this.#waiting.keys()].map((node) => this.#draw(node)));
  }

  #drawNear(entries) {
    for (const { isIntersecting, target } of entries) if (isIntersecting) this.#draw(target);
  }

  async #draw(node) {
    const draw = this.#waiting.get(node);
    this.forget(node);
    await draw?.();
  }
}
