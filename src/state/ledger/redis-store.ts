/** Ledger entries in Redis, shared by several gateways: one of them sends, and each can return the outcome. */

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { refusedBy } from '../../shares/lane-budget.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { Exemplar } from '../../telemetry/tracing.ts';
import type { FleetKeys } from '../fleet-secrets.ts';
import type { SharedRedis } from '../redis.ts';
import { isReply, replyCodeOf } from '../redis-error.ts';
import type { LedgerEntry, LedgerRequest, LedgerReservation, LedgerStore, Outcome } from './ledger.ts';
import {
  firstAttemptFailed,
  notReplicated,
  outcomeApplied,
  outcomeUnknown,
  storeUnavailable,
} from './ledger-errors.ts';
import { entryFormat, type RedisEntries, type RedisEntry, type RedisReservation } from './redis-entries.ts';
import { type RedisRefusals, reasonOf } from './redis-refusals.ts';
import { decodeOutcome, encodeOutcome } from './stored-outcome.ts';

interface RedisStoreOptions {
  /** Stores with the names of different secrets share them. */
  readonly entries: RedisEntries;
  readonly refusals: RedisRefusals;
  readonly metrics: Metrics;
}

/** Size of an entry in Redis without its outcome, measured (bytes). */
const entryBytes = 768;

/**
 * Size (bytes) of an outcome above which only what it shows of the write is stored. All commands share one connection, on
 * which a large one delays the others for longer than they wait.
 */
const maxOutcomeBytes = 256 * 1_024;

/** Stored in place of the digest of a file that was not read to its end. */
const unknownDigest = 'unknown';

/** Time after which an entry is read again if Redis did not reply, or if its lease should have expired (ms). */
const retryMs = 50;

/** Time after which an entry of format 1 is read again (ms): its holder sends no message. */
const silentMs = 250;

export function createRedisStore(
  redis: SharedRedis,
  { keyOf, box }: FleetKeys,
  { entries, refusals, metrics }: RedisStoreOptions,
): LedgerStore {
  /** What an outcome is sealed for: it cannot be opened as the outcome of anything else. The same since 0.2.0. */
  const bindingOf = (name: string, lane: string, digest: string, isFreed: boolean) => [
    name,
    lane,
    digest,
    isFreed ? 'freed' : 'kept',
  ];

  /** A plain digest would confirm a guessed input to everyone who can read Redis. */
  const fingerprint = (name: string, digest: string) => box.fingerprint(digest, [name]);

  /** A value that is too large is replaced by what it shows of the write. */
  function storable(outcome: Outcome, binding: readonly string[]): Buffer {
    const bytes = box.seal(encodeOutcome(outcome), binding);
    if (bytes.length <= maxOutcomeBytes || 'error' in outcome) return bytes;
    return box.seal(encodeOutcome({ error: outcomeApplied() }), binding);
  }

  /** Returns the size of the outcome. */
  async function settle(
    reservation: RedisReservation,
    digest: string,
    outcome: Outcome,
    isFreed: boolean,
  ): Promise<number> {
    const binding = bindingOf(reservation.name, reservation.lane, digest, isFreed);
    const bytes = storable(outcome, binding);
    await entries.settle(reservation, digest, bytes, isFreed);
    return bytes.length;
  }

  async function reserve(
    reservation: RedisReservation,
    exemplar: Exemplar | undefined,
  ): Promise<RedisEntry | undefined> {
    if (redis.isLost()) {
      refusals.count('lost');
      throw storeUnavailable(undefined);
    }
    const endTimer = metrics.ledgerReservationSeconds.startTimer({}, exemplar);
    try {
      const found = await entries.reserve(reservation);
      endTimer();
      if (found?.holder === '') refusals.foreignEntry(reservation.name);
      return found;
    } catch (cause) {
      const reason = reasonOf(cause);
      refusals.count(reason, cause);
      const error = reason === 'full' ? refusedBy('ledger') : storeUnavailable(cause);
      // Unless Redis refused all attempts and says why, the key may be reserved. Free it: nothing will be sent.
      if (!isReply(cause) || replyCodeOf(cause) === 'ERR' || (await isReserved(reservation)))
        void settle(reservation, unknownDigest, { error }, true);
      throw error;
    }
  }

  /** Whether Redis has a reservation that it refused: in a cluster, an attempt whose reply was lost may have come before. */
  const isReserved = ({ name, holder }: RedisReservation) =>
    entries.find(name, holder).then(
      (found) => found !== undefined,
      () => false,
    );

  async function confirm(
    reservation: Pick<RedisReservation, 'name' | 'holder'>,
    exemplar?: Exemplar,
  ): Promise<boolean> {
    if (!entries.confirm) return true;
    const endTimer = metrics.ledgerReplicationSeconds.startTimer({}, exemplar);
    const isConfirmed = await entries.confirm(reservation);
    endTimer();
    return isConfirmed;
  }

  function reservationOf(
    reservation: RedisReservation,
    { input, onStored }: LedgerRequest,
  ): LedgerReservation {
    const renewal = setInterval(() => entries.renew(reservation).catch(() => {}), entries.leaseMs / 3);
    return {
      async settle(outcome, isFreed) {
        clearInterval(renewal);
        const digest = await availableDigest(input.digest);
        const stored = digest === undefined ? unknownDigest : fingerprint(reservation.name, digest);
        const bytes = await settle(reservation, stored, outcome, isFreed);
        if (!isFreed) onStored?.(entryBytes + bytes);
      },
    };
  }

  function entryOf(name: string, found: RedisEntry, lane: string): LedgerEntry {
    let settled: ReturnType<typeof settledEntry> | undefined;
    const whenSettled = () => (settled ??= settledEntry(name, found));
    return {
      isOwn: found.lane === lane,
      requestId: requestIdOf(found.holder),
      wasRunning: found.outcome === undefined && found.heldMs > 0,
      async hasDigest(repeated) {
        const { digest } = await whenSettled();
        return digest === unknownDigest ? undefined : digest === fingerprint(name, repeated);
      },
      outcome: async () => (await whenSettled()).outcome,
    };
  }

  /**
   * Waits for the outcome, also while Redis is unreachable for less than a lease. The holder sends a message when it has
   * settled the entry; the entry is read again when that could be missed: after an interruption, and when the lease
   * expires. An entry without an outcome and without a live holder may have been sent: its outcome is unknown. One that
   * was freed did nothing, also if Redis has not kept its outcome.
   */
  async function settledEntry(name: string, found: RedisEntry) {
    if (found.outcome) return open(name, found, found.outcome);
    let change = new AbortController();
    const onChange = () => change.abort();
    /** Resolves at the next change, also at one since the last call, or after `ms`. */
    const changed = async (ms: number) => {
      await sleep(ms, undefined, { signal: change.signal }).catch(() => {});
      change = new AbortController();
    };
    const stopListening = redis.listen(name, { onMessage: onChange, onSubscribed: onChange });
    try {
      return await changedEntry(name, found, changed);
    } finally {
      stopListening();
    }
  }

  async function changedEntry(name: string, found: RedisEntry, changed: (ms: number) => Promise<void>) {
    let latest: RedisEntry | undefined = found;
    let seenAt = performance.now();
    let lostAt: number | undefined;
    while (latest) {
      if (latest.outcome) return open(name, latest, latest.outcome);
      const { digest = unknownDigest } = latest;
      if (latest.isFreed) return { digest, outcome: { error: firstAttemptFailed() } };
      if (latest.heldMs === 0) break;
      const leaseEndsMs = Math.max(0, latest.heldMs - (performance.now() - seenAt)) + retryMs;
      await changed(latest.format === 1 ? Math.min(leaseEndsMs, silentMs) : leaseEndsMs);
      try {
        latest = await entries.find(name, found.holder);
        seenAt = performance.now();
        lostAt = undefined;
      } catch (cause) {
        lostAt ??= performance.now();
        if (performance.now() - lostAt > entries.leaseMs) throw outcomeUnknown(cause);
      }
    }
    throw outcomeUnknown(undefined);
  }

  function open(name: string, entry: RedisEntry, bytes: Buffer) {
    const { format, lane, digest = '', isFreed } = entry;
    const opened = box.open(bytes, bindingOf(name, lane, digest, isFreed));
    const outcome = format <= entryFormat ? decodeOutcome(opened) : undefined;
    // Written in a later format, or copied from another entry.
    if (!outcome) throw outcomeUnknown(undefined);
    return { digest, outcome };
  }

  return {
    async reserve(request) {
      const name = keyOf('ledger', request.owner, request.key);
      const reservation = { name, holder: holderOf(request.requestId), lane: request.lane };
      const attributes = { 'db.system.name': 'redis' };
      const span = request.span?.child('reserve', { kind: 'client', attributes });
      try {
        const found = await reserve(reservation, span?.exemplar);
        if (found) return entryOf(name, found, request.lane);
        if (await confirm(reservation, span?.exemplar)) {
          refusals.accepted();
          return reservationOf(reservation, request);
        }
      } finally {
        span?.end();
      }
      refusals.count('not_acknowledged');
      const error = notReplicated();
      await settle(reservation, unknownDigest, { error }, true);
      throw error;
    },
    async find({ owner, lane, key }) {
      const name = keyOf('ledger', owner, key);
      const found = await entries.find(name).catch((cause: unknown) => {
        throw storeUnavailable(cause);
      });
      if (found) return entryOf(name, found, lane);
      if (await confirm({ name, holder: '' })) return undefined;
      throw storeUnavailable(undefined);
    },
  };
}

/** Unique, since several requests may have the same id. */
function holderOf(requestId = ''): string {
  return `${randomUUID()}.${requestId}`;
}

function requestIdOf(holder: string): string | undefined {
  const at = holder.indexOf('.');
  return at < 0 ? undefined : holder.slice(at + 1);
}

/** The digest if it is available now. If the service did not read a file to its end, the digest never comes. */
function availableDigest(digest: Promise<string>): Promise<string | undefined> {
  const none = new Promise<undefined>((resolve) => setImmediate(resolve, undefined));
  return Promise.race([digest.catch(() => undefined), none]);
}
