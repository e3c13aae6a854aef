/** The idempotency ledger that several gateways share: one of them sends, whichever is asked. */
import { randomUUID } from 'node:crypto';
import { GatewayError, type InputProblem, InvalidInputError } from '../../errors.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { SharedRedis } from '../redis.ts';
import type { SealedBox } from '../sealed-box.ts';
import {
  applied,
  asJoined,
  brokeOff,
  type IdempotencyLedger,
  isHarmless,
  type LedgerRequest,
  outcomeUnknown,
  sentWithAnotherToken,
  usedForSomethingElse,
} from './memory-ledger.ts';
import {
  createRedisLedgerStore,
  type RedisLedgerStoreOptions,
  type Reservation,
  type StoredEntry,
} from './redis-ledger-store.ts';

export interface RedisLedgerOptions extends Omit<RedisLedgerStoreOptions, 'leaseMs'> {
  /** How long a reservation outlives the last sign of its holder (ms). Default 10,000 (10 seconds). */
  readonly leaseMs?: number;
  readonly metrics: Metrics;
}

type Outcome =
  | { readonly value: unknown }
  | { readonly error: Pick<GatewayError, (typeof storedMembers)[number]> }
  | { readonly problems: readonly InputProblem[]; readonly message: string };

const storedMembers = [
  'code',
  'message',
  'sideEffect',
  'retryable',
  'retryAfterMs',
  'upstream',
  'httpStatus',
] as const;

/** In place of the digest of a file that never came to its end. */
const unknownDigest = 'unknown';

/** How often a waiting gateway looks whether the outcome is there (ms). */
const lookAgainMs = 100;

export function createRedisLedger(
  redis: SharedRedis,
  box: SealedBox,
  { ttlMs, leaseMs = 10_000, metrics }: RedisLedgerOptions,
): IdempotencyLedger {
  const store = createRedisLedgerStore(redis, { ttlMs, leaseMs });

  /** What an outcome belongs to: it opens for nothing else. */
  const bindingOf = (entry: string, lane: string, digest: string, isFreed: boolean) => [
    entry,
    lane,
    digest,
    isFreed ? 'freed' : 'kept',
  ];

  /** A digest by itself would confirm a guess of the input to who can read Redis. */
  const fingerprint = (entry: string, digest: string) => box.fingerprint(digest, [entry]);

  async function reserve(reservation: Reservation): Promise<StoredEntry | undefined> {
    if (redis.isLost()) throw storeUnavailable(undefined);
    try {
      return await store.reserve(reservation);
    } catch (cause) {
      const error = storeUnavailable(cause);
      // Unless Redis refused, it may have been reserved and the reply lost: nothing will be sent under it.
      if (!isRefusal(cause)) void settle(reservation, unknownDigest, failed(error), true);
      throw error;
    }
  }

  async function settle(
    reservation: Reservation,
    digest: string,
    outcome: Outcome,
    isFreed: boolean,
  ): Promise<void> {
    const binding = bindingOf(reservation.entry, reservation.lane, digest, isFreed);
    await store.settle(reservation, { digest, outcome: box.seal(outcome, binding), isFreed });
  }

  async function first<T>(
    { input }: LedgerRequest,
    reservation: Reservation,
    write: () => Promise<T>,
  ): Promise<T> {
    const renewal = setInterval(() => store.renew(reservation), leaseMs / 3);
    const digestNow = async () => {
      const digest = await settledDigest(input.digest);
      return digest === undefined ? unknownDigest : fingerprint(reservation.entry, digest);
    };
    let value: T;
    try {
      value = await write();
    } catch (error) {
      clearInterval(renewal);
      await settle(reservation, await digestNow(), failed(error), isHarmless(error));
      throw error;
    }
    clearInterval(renewal);
    await settle(reservation, await digestNow(), { value }, false);
    return value;
  }

  /** The outcome of the request that reserved the key before this one. */
  async function join(request: LedgerRequest, entry: string, known: StoredEntry): Promise<unknown> {
    if (known.lane !== request.lane) throw sentWithAnotherToken();
    const wasRunning = known.outcome === undefined;
    request.input.consume();
    const digest = fingerprint(entry, await request.input.digest);
    const settled = await settledEntry(entry, known);
    const binding = bindingOf(entry, settled.lane, settled.digest, settled.isFreed);
    const outcome = box.open(settled.outcome, binding) as Outcome | undefined;
    // Of an older or newer format, or moved here from another entry: what was done is lost.
    if (!outcome) throw outcomeUnknown(undefined);
    const isDone = 'value' in outcome;
    if (settled.digest === unknownDigest) {
      // The first file never came to its end: nobody can say whether this one is the same.
      if (settled.isFreed) throw brokeOff();
      throw outcomeUnknown(isDone ? applied() : revived(outcome));
    }
    if (settled.digest !== digest) throw usedForSomethingElse();
    if (isDone) return outcome.value;
    throw wasRunning ? revived(outcome) : outcomeUnknown(revived(outcome));
  }

  /**
   * Waits for the outcome, through a Redis that is away for less than the lease. Without an outcome, and without
   * a holder or a trace of it, the write may have been sent.
   */
  async function settledEntry(entry: string, known: StoredEntry) {
    let latest: StoredEntry | undefined = known;
    let seenAt = performance.now();
    while (latest) {
      const { lane, digest = '', outcome, isHeld, isFreed } = latest;
      if (outcome) return { lane, digest, outcome, isFreed };
      if (!isHeld) break;
      await new Promise((resolve) => setTimeout(resolve, lookAgainMs));
      try {
        latest = await store.look(entry, known.holder);
        seenAt = performance.now();
      } catch (cause) {
        if (performance.now() - seenAt > leaseMs) throw outcomeUnknown(cause);
      }
    }
    throw outcomeUnknown(undefined);
  }

  return {
    async once<T>(request: LedgerRequest, write: () => Promise<T>) {
      request.input.digest.catch(() => {});
      const entry = redis.keyOf('ledger', request.owner, request.key);
      const reservation = { entry, holder: randomUUID(), lane: request.lane };
      const known = await reserve(reservation);
      if (!known) return await first(request, reservation, write);
      metrics.ledgerJoins.inc();
      return (await join(request, entry, known)) as T;
    },
  };
}

/** undefined: of a file that the service did not want to its end there is no digest, and none will come. */
function settledDigest(digest: Promise<string>): Promise<string | undefined> {
  const none = new Promise<undefined>((resolve) => setImmediate(resolve, undefined));
  return Promise.race([digest.catch(() => undefined), none]);
}

function failed(error: unknown): Outcome {
  const joined = asJoined(error);
  if (joined instanceof InvalidInputError) return { problems: joined.problems, message: joined.message };
  const { code, message, sideEffect, retryable, retryAfterMs, upstream, httpStatus } = joined;
  return { error: { code, message, sideEffect, retryable, retryAfterMs, upstream, httpStatus } };
}

function revived(outcome: Exclude<Outcome, { readonly value: unknown }>): GatewayError | InvalidInputError {
  if ('problems' in outcome) return new InvalidInputError(outcome.message, outcome.problems);
  const { httpStatus, ...members } = outcome.error;
  return new GatewayError({ ...members, ...(httpStatus !== undefined && { httpStatus }) });
}

/** An error that Redis itself sent, e.g. when it is full or a replica: nothing was written. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError';
}

function storeUnavailable(cause: unknown): GatewayError {
  return new GatewayError({
    code: 'UPSTREAM_UNAVAILABLE',
    message: 'The shared record of idempotency keys is out of reach; nothing was sent.',
    retryable: true,
    retryAfterMs: 1_000,
    cause,
  });
}
