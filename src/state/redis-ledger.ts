/** The idempotency ledger that several gateways share: one of them sends, whichever is asked. */
import { randomUUID } from 'node:crypto';
import { GatewayError, InvalidInputError } from '../errors.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import {
  applied,
  brokeOff,
  type IdempotencyLedger,
  isHarmless,
  type LedgerRequest,
  outcomeUnknown,
  sentWithAnotherToken,
  usedForSomethingElse,
} from './idempotency-ledger.ts';
import type { SharedRedis } from './redis.ts';
import type { SealedBox } from './sealed-box.ts';

export interface RedisLedgerOptions {
  /** How long an outcome is kept (ms). */
  readonly ttlMs: number;
  /** How long a reservation outlives the last sign of its holder (ms). Default 10,000 (10 seconds). */
  readonly leaseMs?: number;
  readonly metrics: Metrics;
}

/** Reserves a key, or answers with what it stands for: lane, digest, sealed outcome, and whether its holder lives. */
const reserveScript = `
if redis.call('EXISTS', KEYS[1]) == 1 then
  local entry = redis.call('HMGET', KEYS[1], 'lane', 'digest', 'outcome')
  entry[4] = redis.call('EXISTS', KEYS[2])
  return entry
end
redis.call('HSET', KEYS[1], 'holder', ARGV[1], 'lane', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[4])
return {}`;

const renewScript = `
if redis.call('HGET', KEYS[1], 'holder') == ARGV[1] then redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[2]) end
return 0`;

/** Keeps the outcome, or frees the key when there is none to keep; tells those who wait. */
const settleScript = `
if redis.call('HGET', KEYS[1], 'holder') ~= ARGV[1] then return 0 end
if ARGV[3] == '' then redis.call('DEL', KEYS[1])
else redis.call('HSET', KEYS[1], 'digest', ARGV[2], 'outcome', ARGV[3]) end
redis.call('DEL', KEYS[2])
return 1`;

type Outcome = { readonly value: unknown } | { readonly error: StoredError };
type StoredError = Pick<GatewayError, 'code' | 'message' | 'sideEffect' | 'upstream'>;

interface Known {
  readonly lane: string;
  readonly digest: string | undefined;
  readonly outcome: Buffer | undefined;
  readonly isHeld: boolean;
}

const unknownDigest = 'unknown';

/** How often a waiting gateway looks whether the outcome is there (ms). */
const lookAgainMs = 100;

export function createRedisLedger(
  { commands, keyOf }: SharedRedis,
  box: SealedBox,
  { ttlMs, leaseMs = 10_000, metrics }: RedisLedgerOptions,
): IdempotencyLedger {
  const keysOf = ({ owner, key }: LedgerRequest) => {
    const entry = keyOf('ledger', owner, key);
    return [entry, `${entry}:lease`] as const;
  };

  /** A digest by itself would confirm a guess of the input to who can read Redis. */
  const storedDigest = (request: LedgerRequest, digest: string) =>
    box.fingerprint(digest, [keysOf(request)[0]]);

  /** Of a file that the service did not want to its end there is no digest, and none will come. */
  function storedDigestNow(request: LedgerRequest): Promise<string> {
    const none = new Promise<string>((resolve) => setImmediate(resolve, unknownDigest));
    const known = request.input.digest.then(
      (digest) => storedDigest(request, digest),
      () => unknownDigest,
    );
    return Promise.race([known, none]);
  }

  /** undefined: the key is now reserved for this holder. */
  async function reserve(request: LedgerRequest, holder: string): Promise<Known | undefined> {
    try {
      const parameters = [holder, request.lane, ttlMs, leaseMs];
      const reply = (await commands.callBuffer(
        'EVAL',
        reserveScript,
        2,
        ...keysOf(request),
        ...parameters,
      )) as (Buffer | number | null)[];
      if (reply.length === 0) return undefined;
      const [lane, digest, outcome, isHeld] = reply as [Buffer, Buffer | null, Buffer | null, number];
      return {
        lane: String(lane),
        digest: digest ? String(digest) : undefined,
        outcome: outcome ?? undefined,
        isHeld: isHeld === 1,
      };
    } catch (cause) {
      // It may have been reserved and the answer lost: nothing will be sent under it, so it is given back.
      commands.eval(settleScript, 2, ...keysOf(request), holder, '', '').catch(() => {});
      throw outOfReach(cause);
    }
  }

  async function first<T>(request: LedgerRequest, holder: string, write: () => Promise<T>): Promise<T> {
    const keys = keysOf(request);
    request.input.digest.catch(() => {});
    const renewal = setInterval(() => {
      commands.eval(renewScript, 2, ...keys, holder, leaseMs).catch(() => {});
    }, leaseMs / 3);
    /** What cannot be stored is still told; the reservation stays, and with it the key is never sent again. */
    const settle = async (outcome: Outcome | undefined) => {
      const digest = outcome ? await storedDigestNow(request) : '';
      const sealed = outcome ? box.seal(outcome, [keys[0], request.lane, digest]) : '';
      await commands.eval(settleScript, 2, ...keys, holder, digest, sealed).catch(() => {});
    };
    try {
      const value = await write();
      await settle({ value });
      return value;
    } catch (error) {
      await settle(isHarmless(error) ? undefined : { error: stored(error) });
      throw error;
    } finally {
      clearInterval(renewal);
    }
  }

  /** The outcome of whoever reserved the key before; undefined when it was freed meanwhile. */
  async function outcomeOf<T>(
    request: LedgerRequest,
    known: Known,
  ): Promise<{ readonly value: T } | undefined> {
    request.input.consume();
    const [entry] = keysOf(request);
    const digest = storedDigest(request, await request.input.digest);
    let latest: Known | undefined = known;
    while (latest) {
      if (latest.lane !== request.lane) throw sentWithAnotherToken();
      if (latest.outcome) {
        const binding = [entry, latest.lane, latest.digest ?? ''];
        const outcome = box.open(latest.outcome, binding) as Outcome | undefined;
        // Of an older or newer format, or moved here from another entry: what was done is lost.
        if (!outcome) throw outcomeUnknown(undefined);
        const isDone = 'value' in outcome;
        // The first file never came to its end: nobody can say whether this one is the same.
        if (latest.digest === unknownDigest) throw outcomeUnknown(isDone ? applied() : undefined);
        if (latest.digest !== digest) throw usedForSomethingElse();
        if (isDone) return { value: outcome.value as T };
        throw outcomeUnknown(new GatewayError(outcome.error));
      }
      // Its holder is gone: it may have been sent, so it is not sent again.
      if (!latest.isHeld) throw outcomeUnknown(undefined);
      await new Promise((resolve) => setTimeout(resolve, lookAgainMs));
      latest = await look(request);
    }
    return undefined;
  }

  async function look(request: LedgerRequest): Promise<Known | undefined> {
    const [entry, lease] = keysOf(request);
    try {
      const [[lane, digest, outcome], isHeld] = await Promise.all([
        commands.hmgetBuffer(entry, 'lane', 'digest', 'outcome'),
        commands.exists(lease),
      ]);
      if (!lane) return undefined;
      return {
        lane: String(lane),
        digest: digest ? String(digest) : undefined,
        outcome: outcome ?? undefined,
        isHeld: isHeld === 1,
      };
    } catch (cause) {
      throw outOfReach(cause);
    }
  }

  return {
    async once(request, write) {
      const holder = randomUUID();
      const known = await reserve(request, holder);
      if (!known) return await first(request, holder, write);
      metrics.ledgerJoins.inc();
      const outcome = await outcomeOf<Awaited<ReturnType<typeof write>>>(request, known);
      if (outcome) return outcome.value;
      throw brokeOff();
    },
  };
}

function stored(error: unknown): StoredError {
  if (!(error instanceof GatewayError)) {
    return {
      code: 'OUTCOME_UNKNOWN',
      message: 'The outcome is not known.',
      sideEffect: 'POSSIBLE',
      upstream: undefined,
    };
  }
  const { code, message, sideEffect, upstream } = error;
  return { code, message, sideEffect, upstream };
}

function outOfReach(cause: unknown): Error {
  if (cause instanceof GatewayError || cause instanceof InvalidInputError) return cause;
  return new GatewayError({
    code: 'UPSTREAM_UNAVAILABLE',
    message: 'The shared record of idempotency keys is out of reach; nothing was sent.',
    retryable: true,
    retryAfterMs: 1_000,
    cause,
  });
}
