/** The stay of a watched value in its state: since when, and how long others usually stay there. */
import type { Holder } from '../caller.ts';
import type { AcceptedLanes } from '../shares/accepted-lanes.ts';
import type { Clock } from './clock.ts';
import { LifeTable, type UsualStay } from './life-table.ts';

export interface SeenState {
  /** Since when the gateway has seen the state. */
  readonly since: Date;
  /** How long others stay in it; undefined until enough of them are known. */
  readonly usual: UsualStay | undefined;
}

/** One value in one state. */
export class Stay {
  readonly state: string;
  /** Since when the gateway has seen the state, by its clock (ms). */
  readonly sinceMs: number;
  readonly #since = new Date();
  readonly #tables: readonly LifeTable[];
  /** Counts this value; undefined if the owner's share is counted already. */
  readonly #counting: LifeTable | undefined;
  /** Age at which the value was last seen in the state (ms). */
  #seenMs = 0;

  /** `tables`: in the order in which they are asked. The last one counts the value. */
  constructor(state: string, { owner }: Holder, tables: readonly LifeTable[], now: number) {
    this.state = state;
    this.sinceMs = now;
    this.#tables = tables;
    const own = tables.at(-1);
    this.#counting = own?.begin(owner, now) ? own : undefined;
  }

  get seen(): SeenState {
    return { since: this.#since, usual: this.#tables.find(({ usual }) => usual)?.usual };
  }

  stayedUntil(time: number): void {
    const ageMs = time - this.sinceMs;
    if (ageMs <= this.#seenMs) return;
    this.#counting?.stayed(this.#seenMs, ageMs);
    this.#seenMs = ageMs;
  }

  endedBy(now: number): void {
    this.#counting?.left(this.#seenMs, now - this.sinceMs, now);
  }
}

export type Stays = ReturnType<typeof createStays>;

/**
 * Values that may have entered their state before they were watched have a table of their own. So have those of newcomers:
 * anyone can invent credentials, so these count for newcomers only, and only until enough others are known.
 */
export function createStays(acceptedLanes: AcceptedLanes, clock: Clock) {
  const tables = new Map<string, LifeTable>();
  return {
    /** `isFirst`: the value may have entered the state before it was watched. */
    begin(holder: Holder, state: string, isFirst: boolean): Stay {
      const now = clock.now();
      const callers = acceptedLanes.has(holder.lane) ? ['accepted'] : ['accepted', 'newcomers'];
      const asked = callers.map((name) =>
        tables.getOrInsertComputed([state, isFirst, name].join(), () => new LifeTable(now)),
      );
      return new Stay(state, holder, asked, now);
    },
  };
}
