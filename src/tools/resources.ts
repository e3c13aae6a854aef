/** What has been started and must be closed again. */
export class Resources {
  readonly #closes: (() => unknown)[] = [];

  defer(close: () => unknown): void {
    this.#closes.push(close);
  }

  /** Closes every part, the last one first, and returns the errors of those that failed. Does nothing the second time. */
  async close(): Promise<unknown[]> {
    const failures: unknown[] = [];
    for (const close of this.#closes.splice(0).reverse()) {
      try {
        await close();
      } catch (error) {
        failures.push(error);
      }
    }
    return failures;
  }
}
