/** The idempotency ledger: a write with a key is sent once, and its repetitions get the outcome of the first request. */

import type { Credentials, Lane, Owner } from '../../caller.ts';
import { GatewayError, gatewayFailed, InvalidInputError, sideEffectOf } from '../../errors.ts';
import { joinBytes } from '../../shares/bound-sizes.ts';
import type { LaneBudget } from '../../shares/lane-budget.ts';
import type { Scheduler } from '../../shares/scheduler.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { Span } from '../../telemetry/tracing.ts';
import { InProgress } from '../../tools/in-progress.ts';
import {
  conflictingInput,
  conflictingToken,
  firstAttemptFailed,
  outcomeApplied,
  outcomeUnknown,
} from './ledger-errors.ts';

/** The end of a refusal that says nothing of the first request with the key, which was sent. */
const notJoined =
  '; nothing was sent now. Send it again with the same key to get the outcome of the first request.';

export type IdempotencyLedger = ReturnType<typeof createIdempotencyLedger>;

export interface LedgerKey {
  /** Scope of the key: the same for all tokens of one API key. */
  readonly owner: Owner;
  /** Lane of the caller: only this lane may see the outcome. */
  readonly lane: Lane;
  readonly key: string;
  /** From which both follow, under another secret too. */
  readonly credentials: Credentials;
}

export interface LedgerRequest extends LedgerKey {
  /** Name of the value's type, which is stored with it. */
  readonly type?: string | undefined;
  readonly input: LedgerInput;
  /** Id of the request, which its repetitions log. Default: none. */
  readonly requestId?: string;
  /** Parent of the spans of what the store does. */
  readonly span?: Span | undefined;
  /** What its operation holds while it waits for the outcome of another request (bytes). Default 0. */
  readonly heldBytes?: number | undefined;
  /** Called with the bytes that a shared store keeps for the time of an outcome. */
  readonly onStored?: ((bytes: number) => void) | undefined;
  /** Called with the id of the first request when the key is in use. */
  readonly onRepetition?: ((requestId: string) => void) | undefined;
}

export type FoundWrite =
  /** `unknown`: it may have been carried out, or another lane sent it. */
  | { readonly state: 'running' | 'unknown' }
  /** `type`: undefined for a value that is not kept, or that an earlier version of the gateway stored. */
  | { readonly state: 'done'; readonly value?: unknown; readonly type?: string | undefined };

/** The input of a request. Two requests with one key are the same if their digests are. */
export interface LedgerInput {
  /** Hash of everything that is sent. With a streamed file it resolves at the end of the file, and rejects if that is not reached. */
  readonly digest: Promise<string>;
  /** Reads a streamed file to its end without sending it. */
  readonly consume: () => void;
}

export type Outcome =
  | { readonly value: unknown; readonly type?: string | undefined }
  | { readonly error: GatewayError | InvalidInputError };

/** Keeps the entries of the ledger. A reservation is atomic: of several requests with one key exactly one gets it. */
export interface LedgerStore {
  /**
   * Reserves the key of a request, or returns the entry of the request that uses it. Rejects with a side effect of NONE
   * when the store is full or unavailable.
   */
  reserve(request: LedgerRequest): Promise<LedgerReservation | LedgerEntry>;
  /** The entry of a key; undefined if the key is not in use. Rejects when the store is unavailable. */
  find(key: LedgerKey): Promise<LedgerEntry | undefined>;
}

/** A key reserved for a write that is about to run. */
export interface LedgerReservation {
  /**
   * Stores the outcome. `isFreed`: the key can be used again, and only requests that have joined get the outcome. Does
   * not reject when the store is unavailable: the caller still gets the outcome, and the key is not reused.
   */
  settle(outcome: Outcome, isFreed: boolean): Promise<void>;
}

/** A key that an earlier request uses. */
export interface LedgerEntry {
  /** Whether the lane of the request sent the write. Another lane of the owner must not see its outcome. */
  readonly isOwn: boolean;
  /** Id of that request; undefined if it had none. */
  readonly requestId: string | undefined;
  /** Whether the write was in progress when the entry was found. False if its process has ended, and its outcome is lost. */
  readonly wasRunning: boolean;
  /** Whether the first request had this digest; undefined if its file was not read to its end. Waits until that is known. */
  hasDigest(digest: string): Promise<boolean | undefined>;
  /** Waits for the outcome. Rejects with OUTCOME_UNKNOWN when it is lost. */
  outcome(): Promise<Outcome>;
}

/** `joins`: bounds the requests that wait for the outcome of another one. `scheduler`: when each of them continues. */
export function createIdempotencyLedger(
  store: LedgerStore,
  metrics: Metrics,
  joins: LaneBudget,
  scheduler: Scheduler,
) {
  const writes = new InProgress();

  async function send<T>(
    reservation: LedgerReservation,
    type: string | undefined,
    write: () => Promise<T>,
  ): Promise<T> {
    let value: T;
    try {
      value = await write();
    } catch (error) {
      await reservation.settle({ error: repeatableError(error) }, hadNoEffect(error));
      throw error;
    }
    await reservation.settle({ value, type }, false);
    return value;
  }

  async function replay(entry: LedgerEntry, request: LedgerRequest): Promise<unknown> {
    const { input, heldBytes = 0, onRepetition } = request;
    if (entry.requestId) onRepetition?.(entry.requestId);
    if (!entry.isOwn) throw conflictingToken();
    metrics.ledgerJoins.inc();
    input.consume();
    // A file of the input may still arrive.
    const release =
      entry.wasRunning || heldBytes > 0
        ? joins.hold(request, 1 + Math.ceil(heldBytes / joinBytes), 503, notJoined)
        : () => {};
    try {
      const isSameInput = await entry.hasDigest(await input.digest);
      if (isSameInput === false) throw conflictingInput();
      const outcome = await entry.outcome();
      if (entry.wasRunning) await scheduler.laterTurn(request);
      if (isSameInput === undefined) throw withoutOutcome(outcome);
      if ('value' in outcome) return outcome.value;
      throw entry.wasRunning ? outcome.error : outcomeUnknown(outcome.error);
    } finally {
      release();
    }
  }

  return {
    /**
     * Runs the write if its key is new. Otherwise joins the write in progress with the same key, or returns or rejects
     * with its outcome. Rejects with IDEMPOTENCY_CONFLICT when the key was used with another input or token.
     */
    async runOnce<T>(request: LedgerRequest, write: () => Promise<T>) {
      request.input.digest.catch(() => {});
      writes.begin();
      let found: LedgerReservation | LedgerEntry;
      try {
        found = await store.reserve(request);
        if ('settle' in found) return await send(found, request.type, write);
      } finally {
        writes.end();
      }
      return (await replay(found, request)) as T;
    },

    /** What became of the write under a key; undefined if the key is not in use. Sends nothing and does not wait for the write. */
    async find(key: LedgerKey): Promise<FoundWrite | undefined> {
      const entry = await store.find(key);
      if (!entry) return undefined;
      if (!entry.isOwn) return { state: 'unknown' };
      if (entry.wasRunning) return { state: 'running' };
      const outcome = await entry.outcome().catch((error: GatewayError) => ({ error }));
      if ('value' in outcome) return { state: 'done', value: outcome.value, type: outcome.type };
      return { state: sideEffectOf(outcome.error) === 'APPLIED' ? 'done' : 'unknown' };
    },

    /** Resolves when no write is in progress: the outcome of each was stored, or could not be. */
    settled: () => writes.whenIdle(),
  };
}

/** Reports the side effect alone: without the first digest the input may be another one, whose outcome must not be shown. */
function withoutOutcome(outcome: Outcome): GatewayError {
  if ('value' in outcome) return outcomeUnknown(outcomeApplied());
  return hadNoEffect(outcome.error) ? firstAttemptFailed() : outcomeUnknown(outcome.error);
}

/** Whether a failed write certainly had no effect: its key can be used again. */
function hadNoEffect(error: unknown): boolean {
  return sideEffectOf(error) === 'NONE';
}

/** The error that repetitions of a failed write get. An unexpected error becomes INTERNAL_SERVER_ERROR, with a possible side effect. */
function repeatableError(error: unknown): GatewayError | InvalidInputError {
  if (error instanceof GatewayError || error instanceof InvalidInputError) return error;
  return gatewayFailed(error, 'POSSIBLE');
}
