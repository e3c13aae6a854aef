/** A write under a key is sent once: whoever repeats it joins it while it runs, and gets its outcome after. */

import type { Lane } from '../../caller.ts';
import { GatewayError, InvalidInputError } from '../../errors.ts';
import type { Metrics } from '../../telemetry/metrics.ts';

export interface LedgerRequest {
  /** Under whom the key is found: the same for all tokens of one API key. */
  readonly owner: Lane;
  /** Whose outcome it is. */
  readonly lane: Lane;
  readonly key: string;
  readonly input: LedgerInput;
}

/** What makes two requests under one key the same. */
export interface LedgerInput {
  /** A hash over all that is sent. Of a streamed file it is known at the file's end; rejects when that does not come. */
  readonly digest: Promise<string>;
  /** Reads a streamed file to its end without sending it. */
  readonly consume: () => void;
}

export interface IdempotencyLedger {
  /**
   * Runs the write, or joins the one that runs under the same key, or gives the outcome that the first one had.
   * Rejects with IDEMPOTENCY_CONFLICT when the key stands for something else, and with RATE_LIMITED when the
   * ledger is full of live entries: none is ever evicted.
   */
  once<T>(request: LedgerRequest, write: () => Promise<T>): Promise<T>;
}

export interface LedgerOptions {
  /** How long an outcome is kept (ms). */
  readonly ttlMs: number;
  /** Default 100,000. */
  readonly maxEntries?: number;
  /** Of all entries together (bytes): 1 KiB each, and twice the JSON of their outcomes, as measured. */
  readonly maxBytes: number;
  readonly metrics: Metrics;
}

/** What an entry holds besides its outcome: its key, digest and promises (bytes). */
const entryBytes = 1_024;

/** Part of the ledger that one owner may fill: the others' keys must find room. */
const ownerShare = 0.25;

interface Use {
  entries: number;
  bytes: number;
}

interface Entry {
  readonly owner: Lane;
  readonly lane: Lane;
  readonly digest: Promise<string>;
  readonly outcome: Promise<unknown>;
  /** Set when the write has ended. */
  expiresAt: number;
  isRunning: boolean;
  bytes: number;
}

/** In memory: a restart forgets it. */
export function createIdempotencyLedger(options: LedgerOptions): IdempotencyLedger {
  const { ttlMs, maxEntries = 100_000, maxBytes, metrics } = options;
  const entries = new Map<string, Entry>();
  const owners = new Map<Lane, Use>();
  const total: Use = { entries: 0, bytes: 0 };
  metrics.gauge('folio_ledger_entries', () => total.entries);
  metrics.gauge('folio_ledger_bytes', () => total.bytes);
  metrics.gauge('folio_ledger_limit_bytes', () => maxBytes);

  function forget(id: string, entry: Entry): void {
    if (entries.get(id) !== entry) return;
    entries.delete(id);
    count(entry.owner, -1, -entry.bytes);
  }

  function count(owner: Lane, change: number, bytes: number): void {
    const use = owners.get(owner) ?? { entries: 0, bytes: 0 };
    owners.set(owner, use);
    for (const sum of [use, total]) {
      sum.entries += change;
      sum.bytes += bytes;
    }
    if (use.entries === 0) owners.delete(owner);
  }

  function isFull(owner: Lane): boolean {
    const { entries: own, bytes } = owners.get(owner) ?? { entries: 0, bytes: 0 };
    const isOver = (use: Use, share: number) =>
      use.entries >= maxEntries * share || use.bytes >= maxBytes * share;
    return isOver(total, 1) || isOver({ entries: own, bytes }, ownerShare);
  }

  /** A Map keeps the order of insertion, which for ended writes is that of their ends: the first expire first. */
  function forgetExpired(): void {
    for (const [id, entry] of entries) {
      if (entry.isRunning) continue;
      if (entry.expiresAt > Date.now()) return;
      forget(id, entry);
    }
  }

  async function first<T>(
    id: string,
    { owner, lane, input }: LedgerRequest,
    write: () => Promise<T>,
  ): Promise<T> {
    if (isFull(owner)) throw ledgerFull();
    const outcome = write();
    const entry: Entry = {
      owner,
      lane,
      digest: input.digest,
      outcome,
      expiresAt: Number.POSITIVE_INFINITY,
      isRunning: true,
      bytes: entryBytes,
    };
    // Whoever waits for these is told by them; nobody may be waiting.
    outcome.catch(() => {});
    input.digest.catch(() => {});
    entries.set(id, entry);
    count(owner, 1, entryBytes);
    try {
      const value = await outcome;
      keep(id, entry, 2 * (JSON.stringify(value)?.length ?? 0));
      return value;
    } catch (error) {
      if (isHarmless(error)) forget(id, entry);
      else keep(id, entry, 0);
      throw error;
    }
  }

  function keep(id: string, entry: Entry, bytes: number): void {
    entry.isRunning = false;
    entry.expiresAt = Date.now() + ttlMs;
    entries.delete(id);
    entries.set(id, entry);
    entry.bytes += bytes;
    count(entry.owner, 0, bytes);
  }

  async function again<T>(entry: Entry, { lane, input }: LedgerRequest): Promise<T> {
    if (entry.lane !== lane) throw sentWithAnotherToken();
    metrics.ledgerJoins.inc();
    const wasRunning = entry.isRunning;
    input.consume();
    const digest = await input.digest;
    const firstDigest = await digestOf(entry);
    if (firstDigest !== digest) throw usedForSomethingElse();
    try {
      return (await entry.outcome) as T;
    } catch (error) {
      throw wasRunning || isHarmless(error) ? asJoined(error) : outcomeUnknown(error);
    }
  }

  return {
    once(request, write) {
      forgetExpired();
      const id = `${request.owner} ${request.key}`;
      const entry = entries.get(id);
      return entry ? again(entry, request) : first(id, request, write);
    },
  };
}

/**
 * The first request's digest. When its file never came to its end it is its outcome that counts: what was or
 * may have been done is told as such, since nobody can say any more whether the input is the same.
 */
async function digestOf({ digest, outcome }: Entry): Promise<string> {
  try {
    return await Promise.race([digest, outcome.then(() => digest)]);
  } catch {
    const end = await outcome.then(applied, (error: unknown) => error);
    throw isHarmless(end) ? brokeOff() : outcomeUnknown(end);
  }
}

/** It was done, and cannot be shown to whom we do not know to have asked for it. */
export function applied(): GatewayError {
  return new GatewayError({ code: 'OUTCOME_UNKNOWN', message: 'It was done.', sideEffect: 'APPLIED' });
}

export function brokeOff(): GatewayError {
  return new GatewayError({
    code: 'UPSTREAM_UNAVAILABLE',
    message: 'The first request under this idempotency key ended without effect; nothing was done.',
    retryable: true,
  });
}

/** A write's failure as its repetitions get it: of a mistake of ours they only learn that it may have been done. */
export function asJoined(error: unknown): GatewayError | InvalidInputError {
  if (error instanceof GatewayError || error instanceof InvalidInputError) return error;
  return new GatewayError({
    code: 'INTERNAL_SERVER_ERROR',
    message: 'The gateway failed.',
    sideEffect: 'POSSIBLE',
    cause: error,
  });
}

/** Nothing was done: the key is free again. */
export function isHarmless(error: unknown): boolean {
  return error instanceof InvalidInputError || (error instanceof GatewayError && error.sideEffect === 'NONE');
}

function ledgerFull(): GatewayError {
  return new GatewayError({
    code: 'RATE_LIMITED',
    message: 'Too many idempotency keys are in use; nothing was sent.',
    retryable: true,
  });
}

export function usedForSomethingElse(): GatewayError {
  return new GatewayError({
    code: 'IDEMPOTENCY_CONFLICT',
    message: 'This idempotency key stands for another input; nothing was sent.',
  });
}

export function sentWithAnotherToken(): GatewayError {
  return new GatewayError({
    code: 'IDEMPOTENCY_CONFLICT',
    message:
      'This idempotency key was sent before with another token; look at that document before using a new key. Nothing was sent now.',
    sideEffect: 'POSSIBLE',
  });
}

export function outcomeUnknown(cause: unknown): GatewayError {
  const { sideEffect, upstream } =
    cause instanceof GatewayError ? cause : { sideEffect: undefined, upstream: undefined };
  return new GatewayError({
    code: 'OUTCOME_UNKNOWN',
    message:
      'This was sent before under the same idempotency key, and its outcome is not known; nothing was sent now.',
    sideEffect: sideEffect ?? 'POSSIBLE',
    ...(upstream && { upstream }),
    cause,
  });
}
