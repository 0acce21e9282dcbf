// What is fetched and drawn only when it comes near the screen.

const BELOW = "300px"; // of the screen

export class Near {
  #waiting = new Map(); // the function that draws, by element
  #observer = new IntersectionObserver((seen) => this.#seen(seen), { rootMargin: BELOW });

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

  /** Draw everything, whether it is near or not. */
  async all() {
    while (this.#waiting.size) await Promise.all([...this.#waiting.keys()].map((node) => this.#draw(node)));
  }

  #seen(entries) {
    for (const { isIntersecting, target } of entries) if (isIntersecting) this.#draw(target);
  }

  async #draw(node) {
    const draw = this.#waiting.get(node);
    this.forget(node);
    await draw?.();
  }
}
