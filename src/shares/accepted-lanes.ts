/** Remembers whose credentials the service has accepted. All other callers are newcomers. */
import type { Credentials, Holder, Lane, Owner } from '../caller.ts';

/**
 * The lanes whose credentials the service has accepted at least once. Everyone can invent credentials, and each
 * invented pair is a lane. Therefore a part of every shared resource is out of reach for newcomers, whose lanes are not
 * accepted. After a start all callers are newcomers, until their first call succeeds.
 */
export type AcceptedLanes = ReturnType<typeof createAcceptedLanes>;

/** Lanes that were accepted, the oldest of each owner first. */
class Generation {
  readonly lanes = new Set<Lane>();
  readonly #byOwner = new Map<Owner, Set<Lane>>();

  /** Makes room among the lanes of the owner, who may have `mostOfOwner`. */
  add({ lane, owner }: Holder, mostOfOwner: number): void {
    const own = this.#byOwner.getOrInsertComputed(owner, () => new Set());
    own.add(lane);
    this.lanes.add(lane);
    if (own.size <= mostOfOwner) return;
    const [oldest] = own;
    own.delete(oldest as Lane);
    this.lanes.delete(oldest as Lane);
  }
}

/**
 * Keeps at most `maxLanes` (default 20,000, about 6 MB). A lane is removed after at least half as many others were
 * accepted since its last call. One owner has at most a quarter of them, of which its newest lanes remain, so that many
 * tokens under one key do not remove the lanes of others. A newcomer uses no memory.
 */
export function createAcceptedLanes(maxLanes = 20_000) {
  const generationSize = Math.max(1, Math.floor(maxLanes / 2));
  const mostOfOwner = Math.max(1, Math.floor(generationSize / 4));
  const listeners: ((holder: Holder) => void)[] = [];
  // Two generations instead of a list ordered by use: a lane in the recent one costs one look-up.
  let recent = new Generation();
  let older = new Generation();

  return {
    /** Records a usable response to a call that required all credentials of the lane. */
    accept(holder: Holder) {
      const { lane } = holder;
      if (recent.lanes.has(lane)) return;
      const isNew = !older.lanes.has(lane);
      if (recent.lanes.size >= generationSize) {
        older = recent;
        recent = new Generation();
      }
      recent.add(holder, mostOfOwner);
      if (isNew) for (const listener of listeners) listener(holder);
    },
    has: (lane: Lane) => recent.lanes.has(lane) || older.lanes.has(lane),
    /** Number of lanes that are remembered, at least. */
    size: () => Math.max(recent.lanes.size, older.lanes.size),
    /** Calls the listener for each lane that becomes accepted. */
    onAccept(listener: (holder: Holder) => void) {
      listeners.push(listener);
    },
  };
}

/**
 * Whether a usable response of an endpoint proves the caller's credentials: it requires all that the caller has. An
 * endpoint may ignore a credential that it does not require.
 */
export function provesCredentials(
  credentials: Credentials,
  required: readonly (keyof Credentials)[],
): boolean {
  const given = (['apiKey', 'authorization'] as const).filter((name) => credentials[name] !== undefined);
  return given.length > 0 && given.every((name) => required.includes(name));
}
