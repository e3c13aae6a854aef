/** A memory budget shared by the lanes of all callers. */
import type { Lane } from '../caller.ts';

export interface LaneBudget {
  /** Holds bytes for a lane and returns a function that releases them, once. Undefined if there is no room. */
  tryHold(lane: Lane, bytes: number): (() => void) | undefined;
  /** Bytes currently held. */
  held(): number;
}

export interface LaneBudgetOptions {
  readonly maxBytes: number;
  /** Whether the service has accepted the lane's credentials. All other lanes together get half of the bytes. */
  readonly isAccepted: (lane: Lane) => boolean;
}

/** Share of the bytes that one lane may hold in several pieces. */
const laneShare = 0.25;
/** Share of the bytes that all lanes that are not accepted may hold together. */
const unprovenShare = 0.5;

/** A lane that holds nothing can get one piece of any size that fits, so that a large input is not refused forever. */
export function createLaneBudget({ maxBytes, isAccepted }: LaneBudgetOptions): LaneBudget {
  const lanes = new Map<Lane, number>();
  let total = 0;
  let unproven = 0;

  return {
    held: () => total,
    tryHold(lane, bytes) {
      const own = lanes.get(lane) ?? 0;
      const isUnproven = !isAccepted(lane);
      if (total + bytes > maxBytes) return undefined;
      if (own > 0 && own + bytes > maxBytes * laneShare) return undefined;
      if (isUnproven && unproven + bytes > maxBytes * unprovenShare) return undefined;
      lanes.set(lane, own + bytes);
      total += bytes;
      if (isUnproven) unproven += bytes;
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        total -= bytes;
        if (isUnproven) unproven -= bytes;
        const left = (lanes.get(lane) as number) - bytes;
        if (left > 0) lanes.set(lane, left);
        else lanes.delete(lane);
      };
    },
  };
}
