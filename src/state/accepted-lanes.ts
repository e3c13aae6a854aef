import type { Lane } from '../caller.ts';

/**
 * The lanes whose credentials the document service has accepted at least once. Anybody can invent
 * credentials, and each invented pair is a lane of its own: what lanes share out keeps a part that only
 * accepted ones may use. After a start no lane is accepted; callers get in through the others' part.
 */
export interface AcceptedLanes {
  /** The service answered a call that carried the lane's credentials with 2xx. Never for a lane without any. */
  accept(lane: Lane): void;
  has(lane: Lane): boolean;
  /** Calls the listener with each lane that was not accepted before and now is. */
  onAccept(listener: (lane: Lane) => void): void;
}

/**
 * Keeps at most `maxLanes` (default 20,000, about 3 MB): a lane is forgotten when at least half as many others
 * were accepted since its last call. A lane that is not accepted takes no room.
 */
export function createAcceptedLanes(maxLanes = 20_000): AcceptedLanes {
  const generationSize = Math.max(1, Math.floor(maxLanes / 2));
  const listeners: ((lane: Lane) => void)[] = [];
  // Two generations instead of a list in order of use: a lane that is in use already costs one look-up.
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
