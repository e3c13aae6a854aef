import { InProgress } from './in-progress.ts';

/** An item of a bag. Only the bag sets its place. */
export interface BagItem {
  placeInBag: number;
}

/** Items in progress, without an order. A Set would keep deleted items in its old tables until a full collection. */
export class Bag<T extends BagItem> extends InProgress {
  readonly #items: T[] = [];

  get size(): number {
    return this.#items.length;
  }

  add(item: T): void {
    this.begin();
    item.placeInBag = this.#items.push(item) - 1;
  }

  /** The item must be in the bag. */
  delete(item: T): void {
    this.end();
    const last = this.#items.pop() as T;
    if (last === item) return;
    this.#items[item.placeInBag] = last;
    last.placeInBag = item.placeInBag;
  }

  toArray(): T[] {
    return [...this.#items];
  }
}
