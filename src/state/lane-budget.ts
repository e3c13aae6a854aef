/** Bytes of memory that the lanes of all callers share out. */
import type { Lane } from '../caller.ts';

export interface LaneBudget {
  /** Holds the bytes for the lane; the returned function releases them, once. Undefined where there is no room. */
  tryHold(lane: Lane, bytes: number): (() => void) | undefined;
  /** Bytes held at present. */
  held(): number;
}

export interface LaneBudgetOptions {
  readonly maxBytes: number;
  /** Whether the document service has accepted the lane's credentials: all other lanes share half the bytes. */
  readonly isAccepted: (lane: Lane) => boolean;
}

/** Part of the bytes that one lane may hold in several pieces, and all lanes that are not accepted together. */
const laneShare = 0.25;
const unprovenShare = 0.5;

/** A lane that holds nothing gets any one piece for which there is room: a large input is refused to nobody for ever. */
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
