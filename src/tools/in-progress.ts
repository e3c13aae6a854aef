/** A count of items in progress. A Set would keep items that have ended in its old tables until a full collection. */
export class InProgress {
  #count = 0;
  #idle: PromiseWithResolvers<void> | undefined;

  begin(): void {
    this.#count += 1;
  }

  end(): void {
    this.#count -= 1;
    if (this.#count > 0) return;
    this.#idle?.resolve();
    this.#idle = undefined;
  }

  async whenIdle(): Promise<void> {
    if (this.#count === 0) return;
    this.#idle ??= Promise.withResolvers();
    await this.#idle.promise;
  }
}
