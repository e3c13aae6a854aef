/** Wakes one that waits. Calls between two waits count as one, so that none is lost (an auto-reset event). */
export class WakeUp {
  #isDue = false;
  #wake = () => {};

  readonly call = () => {
    this.#isDue = true;
    this.#wake();
  };

  /** Resolves at the next call since the last wait, or after `ms`. */
  async wait(ms: number): Promise<void> {
    if (!this.#isDue) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#isDue = false;
  }
}
