/** The documents and variables that operations in progress hold, and the memory budget for them. */

import type { Lane } from '../caller.ts';
import { type GatewayError, tryAgainLater } from '../errors.ts';
import type { ValidDocument } from './document-cache.ts';

export interface Holding {
  readonly lane: Lane;
  readonly document: ValidDocument;
  /** Whether the manifest contains the document. Such a document costs nothing: callers cannot choose others. */
  readonly isPersisted: boolean;
  /** Size of the coerced variables, in bytes. */
  readonly variableBytes: number;
}

export interface HeldDocuments {
  /** The document with this hash, if an operation holds it, so that its text is not parsed again. */
  find(hash: string): ValidDocument | undefined;
  /** Holds for one operation. The returned function releases, once. Throws RATE_LIMITED above the budget. */
  hold(holding: Holding): () => void;
  /** Bytes that are held now. */
  bytes(): number;
}

export interface HeldDocumentsOptions {
  /** Whether the document service has accepted the lane's credentials. All other lanes share half of the budget. */
  readonly isAccepted: (lane: Lane) => boolean;
  /** The budget of the process, in bytes. */
  readonly maxBytes: number;
}

/** Variables up to this size are not counted (bytes): a subscription holds several times as much in addition. */
const freeVariableBytes = 1_024;
/**
 * Most that one lane may hold, as a part of the budget. A single holding may exceed it. All callers without credentials
 * share one lane.
 */
const laneShare = 1 / 4;
/** Most that all unaccepted lanes may hold, as a part of the budget: anybody can invent credentials. */
const unacceptedShare = 1 / 2;

interface Entry {
  readonly document: ValidDocument;
  /** Its cost, in bytes; 0 for a persisted document. */
  readonly bytes: number;
  /** Number of operations that hold it, by lane. */
  readonly holders: Map<Lane, number>;
  /** Whether all lanes that hold it were unaccepted when they began. */
  isUnaccepted: boolean;
}

/**
 * A document counts once for the process and once for each lane that holds it, whatever the number of operations.
 * Variables count for each operation.
 */
export function createHeldDocuments({ isAccepted, maxBytes }: HeldDocumentsOptions): HeldDocuments {
  const entries = new Map<string, Entry>();
  const laneBytes = new Map<Lane, number>();
  let totalBytes = 0;
  let unacceptedBytes = 0;

  function count(lane: Lane, ofLane: number, ofProcess: number, ofUnaccepted: number): void {
    const bytes = (laneBytes.get(lane) ?? 0) + ofLane;
    if (bytes > 0) laneBytes.set(lane, bytes);
    else laneBytes.delete(lane);
    totalBytes += ofProcess;
    unacceptedBytes += ofUnaccepted;
  }

  function releaseDocument(lane: Lane, hash: string): void {
    const entry = entries.get(hash) as Entry;
    const { bytes, holders, isUnaccepted } = entry;
    const others = (holders.get(lane) ?? 0) - 1;
    if (others > 0) {
      holders.set(lane, others);
      return;
    }
    holders.delete(lane);
    const isLast = holders.size === 0;
    if (isLast) entries.delete(hash);
    count(lane, -bytes, isLast ? -bytes : 0, isLast && isUnaccepted ? -bytes : 0);
  }

  return {
    find: (hash) => entries.get(hash)?.document,
    bytes: () => totalBytes,

    hold({ lane, document, isPersisted, variableBytes }) {
      const { hash } = document;
      const isLaneUnaccepted = !isAccepted(lane);
      const known = entries.get(hash);
      const bytes = known?.bytes ?? (isPersisted ? 0 : document.bytes);
      const ofVariables = Math.max(0, variableBytes - freeVariableBytes);
      const ofLane = ofVariables + (known?.holders.has(lane) ? 0 : bytes);
      const ofProcess = ofVariables + (known ? 0 : bytes);
      const own = laneBytes.get(lane) ?? 0;
      const isOver =
        (own > 0 && ofLane > 0 && own + ofLane > maxBytes * laneShare) ||
        (ofProcess > 0 && totalBytes + ofProcess > maxBytes) ||
        (ofProcess > 0 && isLaneUnaccepted && unacceptedBytes + ofProcess > maxBytes * unacceptedShare);
      if (isOver) throw tooMuchHeld();

      count(lane, ofLane, ofProcess, isLaneUnaccepted ? ofProcess : 0);
      const entry = known ?? {
        document,
        bytes,
        holders: new Map<Lane, number>(),
        isUnaccepted: isLaneUnaccepted,
      };
      entries.set(hash, entry);
      entry.holders.set(lane, (entry.holders.get(lane) ?? 0) + 1);
      if (entry.isUnaccepted && !isLaneUnaccepted) {
        entry.isUnaccepted = false;
        unacceptedBytes -= bytes;
      }
      let isReleased = false;
      return () => {
        if (isReleased) return;
        isReleased = true;
        count(lane, -ofVariables, -ofVariables, isLaneUnaccepted ? -ofVariables : 0);
        releaseDocument(lane, hash);
      };
    },
  };
}

function tooMuchHeld(): GatewayError {
  const message =
    'The operations in progress hold too many different documents; nothing was done. Use the same document with variables.';
  return tryAgainLater('documents', message, { retryAfterMs: 1_000, httpStatus: 503 });
}
