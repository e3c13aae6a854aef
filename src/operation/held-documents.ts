/** What operations in progress keep of their documents and variables, and the budget for it. */

import type { Lane } from '../caller.ts';
import { GatewayError } from '../errors.ts';
import type { ValidDocument } from './document-cache.ts';

export interface Holding {
  readonly lane: Lane;
  readonly document: ValidDocument;
  /** A document of the manifest is not the caller's to choose, and costs nothing. */
  readonly isPersisted: boolean;
  /** Of the coerced variables. */
  readonly variableBytes: number;
}

export interface HeldDocuments {
  /** The document of this hash, if an operation holds it: its text needs no second one. */
  find(hash: string): ValidDocument | undefined;
  /** Holds for one operation; the returned function releases, once. Throws RATE_LIMITED over the budget. */
  hold(holding: Holding): () => void;
  /** What is held now. */
  bytes(): number;
}

export interface HeldDocumentsOptions {
  /** Whether the document service has accepted the lane's credentials: all other lanes share half the budget. */
  readonly isAccepted: (lane: Lane) => boolean;
  /** The budget of the process. */
  readonly maxBytes: number;
}

/** Variables of this size are free: every subscription holds several times as much besides. */
const freeVariableBytes = 1_024;
/** Most that one lane may hold, of the whole, in several pieces. Callers without credentials are one lane together. */
const laneShare = 1 / 4;
/** Most that all lanes may hold whose credentials were never accepted: anybody can invent some. */
const strangersShare = 1 / 2;

interface Entry {
  readonly document: ValidDocument;
  /** What it costs. */
  readonly bytes: number;
  /** Operations of each lane. */
  readonly holders: Map<Lane, number>;
  /** Held by lanes alone that were not accepted when they began to. */
  isStrange: boolean;
}

/**
 * A document counts once, however many operations hold it; in each lane's share, once for that lane. Variables
 * count for each operation.
 */
export function createHeldDocuments({ isAccepted, maxBytes }: HeldDocumentsOptions): HeldDocuments {
  const entries = new Map<string, Entry>();
  const laneBytes = new Map<Lane, number>();
  let totalBytes = 0;
  let strangersBytes = 0;

  function count(lane: Lane, ofLane: number, ofProcess: number, ofStrangers: number): void {
    const bytes = (laneBytes.get(lane) ?? 0) + ofLane;
    if (bytes > 0) laneBytes.set(lane, bytes);
    else laneBytes.delete(lane);
    totalBytes += ofProcess;
    strangersBytes += ofStrangers;
  }

  function releaseDocument(lane: Lane, hash: string): void {
    const entry = entries.get(hash) as Entry;
    const { bytes, holders, isStrange } = entry;
    const others = (holders.get(lane) ?? 0) - 1;
    if (others > 0) {
      holders.set(lane, others);
      return;
    }
    holders.delete(lane);
    const isLast = holders.size === 0;
    if (isLast) entries.delete(hash);
    count(lane, -bytes, isLast ? -bytes : 0, isLast && isStrange ? -bytes : 0);
  }

  return {
    find: (hash) => entries.get(hash)?.document,
    bytes: () => totalBytes,

    hold({ lane, document, isPersisted, variableBytes }) {
      const { hash } = document;
      const isStranger = !isAccepted(lane);
      const known = entries.get(hash);
      const bytes = known?.bytes ?? (isPersisted ? 0 : document.bytes);
      const ofVariables = Math.max(0, variableBytes - freeVariableBytes);
      const ofLane = ofVariables + (known?.holders.has(lane) ? 0 : bytes);
      const ofProcess = ofVariables + (known ? 0 : bytes);
      const own = laneBytes.get(lane) ?? 0;
      const isOver =
        (own > 0 && ofLane > 0 && own + ofLane > maxBytes * laneShare) ||
        (ofProcess > 0 && totalBytes + ofProcess > maxBytes) ||
        (ofProcess > 0 && isStranger && strangersBytes + ofProcess > maxBytes * strangersShare);
      if (isOver) throw tooMuchHeld();

      count(lane, ofLane, ofProcess, isStranger ? ofProcess : 0);
      const entry = known ?? { document, bytes, holders: new Map<Lane, number>(), isStrange: isStranger };
      entries.set(hash, entry);
      entry.holders.set(lane, (entry.holders.get(lane) ?? 0) + 1);
      if (entry.isStrange && !isStranger) {
        entry.isStrange = false;
        strangersBytes -= bytes;
      }
      let isReleased = false;
      return () => {
        if (isReleased) return;
        isReleased = true;
        count(lane, -ofVariables, -ofVariables, isStranger ? -ofVariables : 0);
        releaseDocument(lane, hash);
      };
    },
  };
}

function tooMuchHeld(): GatewayError {
  return new GatewayError({
    code: 'RATE_LIMITED',
    message:
      'The operations in progress hold too many different documents; nothing was done. Use the same document with variables.',
    retryable: true,
    retryAfterMs: 1_000,
    httpStatus: 503,
  });
}
