import type { Lane } from '../caller.ts';

/**
 * The lanes whose credentials the service has accepted at least once. Everyone can invent credentials, and each
 * invented pair is a lane. Therefore a part of every shared resource is reserved for accepted lanes. After a start
 * no lane is accepted: callers use the other part until their first call succeeds.
 */
export interface AcceptedLanes {
  /** Records a usable response to a call with the lane's credentials. Not called for a lane without credentials. */
  accept(lane: Lane): void;
  has(lane: Lane): boolean;
  /** Calls the listener with each lane that becomes accepted. */
  onAccept(listener: (lane: Lane) => void): void;
}

/**
 * Keeps at most `maxLanes` (default 20,000, about 3 MB). A lane is removed after at least half as many others were
 * accepted since its last call. A lane that is not accepted uses no memory.
 */
export function createAcceptedLanes(maxLanes = 20_000): AcceptedLanes {
  const generationSize = Math.max(1, Math.floor(maxLanes / 2));
  const listeners: ((lane: Lane) => void)[] = [];
  // Two generations instead of a list ordered by use: a lane in the recent one costs one look-up.
  let recent = new Set<Lane>();
  let older = new Set<Lane>();

  return {
    accept(lane) {
      if (recent.has(lane)) return;
      const isNew = !older.has(lane);
      if (recent.size >= generationSize) {
        older = recent;
        recent = new Set();
      }
      recent.add(lane);
      if (isNew) for (const listener of listeners) listener(lane);
    },
    has: (lane) => recent.has(lane) || older.has(lane),
    onAccept(listener) {
      listeners.push(listener);
    },
  };
}
