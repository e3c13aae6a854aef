/** A pseudo-random generator (mulberry32): the same seed gives the same sequence. */
export class Random {
  #state: number;

  /** The parts of the seed are hashed (FNV-1a), so that similar seeds give unrelated sequences. */
  constructor(...seed: readonly (string | number)[]) {
    this.#state = 2_166_136_261;
    for (const character of seed.join('/')) {
      this.#state = Math.imul(this.#state ^ (character.codePointAt(0) ?? 0), 16_777_619);
    }
  }

  /** A number in [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }
}
