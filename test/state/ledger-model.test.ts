/** Random sequences of what can happen to idempotency keys, with both stores, compared with a model of the ledger. */

import { afterEach, describe, expect, it, vi } from 'vitest';
import { GatewayError } from '../../src/errors.ts';
import type { IdempotencyLedger } from '../../src/state/ledger/ledger.ts';
import type { SharedRedis } from '../../src/state/redis.ts';
import { fc } from '../support/fast-check.ts';
import { keyed, memoryLedger, otherLane, owner, redisLedger } from '../support/ledgers.ts';
import { forTest, redisForFile } from '../support/lifetimes.ts';
import { fleetKeys, hasRedis } from '../support/redis.ts';

const redis = await redisForFile();

const ttlMs = 60_000;
const keys = ['key-a', 'key-b'] as const;
type Key = (typeof keys)[number];
type End = 'value' | 'refused' | 'doubtful';

/** A write that was sent, and the repetitions that have joined it. */
interface Write {
  readonly key: Key;
  readonly id: string;
  readonly joined: Promise<string>[];
  readonly sender: Promise<string>;
  readonly end: (end: End) => void;
}

/** The reference model: what the ledger knows of each key, and the writes that have not ended. */
class Model {
  /** `outcome` is undefined while the write runs; `isHeld` is false once its gateway has lost the lease. */
  readonly entries = new Map<Key, { readonly write: Write; outcome?: string; isHeld: boolean }>();
  readonly running: Write[] = [];

  /** What a request gets: `undefined` if it is sent, a write if it joins that one, else its result. */
  request(key: Key): Write | string | undefined {
    const entry = this.entries.get(key);
    if (!entry) return undefined;
    return entry.outcome ?? (entry.isHeld ? entry.write : 'OUTCOME_UNKNOWN POSSIBLE');
  }

  /** What the ledger says became of the write under a key. */
  found(key: Key): object | undefined {
    const entry = this.entries.get(key);
    if (!entry) return undefined;
    const { outcome, isHeld, write } = entry;
    if (outcome?.startsWith('value')) return { state: 'done', value: write.id };
    return { state: isHeld && !outcome ? 'running' : 'unknown' };
  }

  sent(write: Write): void {
    this.running.push(write);
    this.entries.set(write.key, { write, isHeld: true });
  }

  /** Returns the result of the write, and of the repetitions that had joined it unless the entry was lost meanwhile. */
  ended(write: Write, end: End): string {
    this.running.splice(this.running.indexOf(write), 1);
    const entry = this.entries.get(write.key);
    const isMine = entry?.write === write;
    if (end === 'refused' && isMine) this.entries.delete(write.key);
    const kept = end === 'value' ? `value ${write.id}` : 'OUTCOME_UNKNOWN POSSIBLE';
    if (end !== 'refused' && (isMine || !entry)) {
      this.entries.set(write.key, { write, isHeld: false, outcome: kept });
    }
    return { value: kept, refused: 'FORBIDDEN NONE', doubtful: 'UPSTREAM_TIMEOUT POSSIBLE' }[end];
  }

  expired(): void {
    for (const [key, { outcome }] of this.entries) if (outcome) this.entries.delete(key);
  }
}

/** The ledgers under test, and what happens to their store. */
interface Real {
  readonly ledgers: readonly IdempotencyLedger[];
  /** The TTL of all outcomes ends. */
  expire(): Promise<void>;
  /** The store loses the key. */
  lose(key: Key): Promise<void>;
  /** The holder of the key does not renew its lease any more. */
  endLease(key: Key): Promise<void>;
}

let run = 0;
let sends = 0;

const shown = (outcome: Promise<string>) =>
  outcome.then(
    (value) => `value ${value}`,
    (error: GatewayError) => `${error.code} ${error.sideEffect}`,
  );

const request = (key: Key, ...asked: [lane?: typeof otherLane, input?: string]) =>
  keyed(`${key}-${run}`, ...asked);
const gatewayOf = ({ ledgers }: Real, index: number) => ledgers[index % ledgers.length] as IdempotencyLedger;

const failed = (options: ConstructorParameters<typeof GatewayError>[0]) =>
  Promise.reject(new GatewayError(options));
const ends: Record<End, (id: string) => Promise<string>> = {
  value: async (id) => id,
  refused: () => failed({ code: 'FORBIDDEN', message: 'no' }),
  doubtful: () => failed({ code: 'UPSTREAM_TIMEOUT', message: 'late', sideEffect: 'POSSIBLE' }),
};

type Command = fc.AsyncCommand<Model, Real>;

const sendRequest = (key: Key, gateway: number): Command => ({
  check: () => true,
  async run(model, real) {
    const ledger = gatewayOf(real, gateway);
    const begun = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<End>();
    const id = String(sends + 1);
    const expected = model.request(key);
    const sender = shown(
      ledger.runOnce(request(key), async () => {
        sends += 1;
        begun.resolve();
        return await ends[await ended.promise](id);
      }),
    );
    if (expected === undefined) {
      expect(await Promise.race([begun.promise, sender])).toBeUndefined();
      model.sent({ key, id, joined: [], sender, end: ended.resolve });
    } else if (typeof expected === 'string') {
      expect(await sender).toBe(expected);
    } else {
      expected.joined.push(sender);
      // This one has found the entry when a later request, with another token, has.
      await shown(ledger.runOnce(request(key, otherLane), () => ends.value('other token')));
    }
  },
  toString: () => `request ${key} at gateway ${gateway}`,
});

const find = (key: Key, gateway: number): Command => ({
  check: () => true,
  async run(model, real) {
    expect(await gatewayOf(real, gateway).find(request(key))).toEqual(model.found(key));
    if (model.entries.has(key))
      expect(await gatewayOf(real, gateway).find(request(key, otherLane))).toEqual({ state: 'unknown' });
  },
  toString: () => `find ${key} at gateway ${gateway}`,
});

/** Another input under a key whose write has ended. */
const sendOther = (key: Key, gateway: number): Command => ({
  check: ({ entries }) => entries.get(key)?.outcome !== undefined,
  async run(_model, real) {
    const other = gatewayOf(real, gateway).runOnce(request(key, undefined, 'other input'), () =>
      ends.value('other input'),
    );
    expect(await shown(other)).toBe('IDEMPOTENCY_CONFLICT NONE');
  },
  toString: () => `other input under ${key} at gateway ${gateway}`,
});

const endWrite = (index: number, end: End): Command => ({
  check: ({ running }) => running.length > 0,
  async run(model) {
    const write = model.running[index % model.running.length] as Write;
    const expected = model.ended(write, end);
    write.end(end);
    for (const outcome of [write.sender, ...write.joined]) expect(await outcome).toBe(expected);
  },
  toString: () => `end write ${index}: ${end}`,
});

const expire: Command = {
  check: () => true,
  async run(model, real) {
    await real.expire();
    model.expired();
  },
  toString: () => 'expire',
};

const fail = (how: 'lose' | 'endLease', key: Key): Command => ({
  check({ entries }) {
    const entry = entries.get(key);
    return entry !== undefined && (how === 'lose' || entry.outcome === undefined);
  },
  async run({ entries }, real) {
    const entry = entries.get(key);
    await real[how](key);
    if (how === 'lose') entries.delete(key);
    else if (entry) entry.isHeld = false;
    for (const outcome of entry?.outcome ? [] : (entry?.write.joined.splice(0) ?? [])) {
      expect(await outcome).toBe('OUTCOME_UNKNOWN POSSIBLE');
    }
  },
  toString: () => `${how} ${key}`,
});

const key = fc.constantFrom(...keys);
const end = fc.constantFrom<End>('value', 'refused', 'doubtful');
const [requests, finds, others] = [sendRequest, find, sendOther].map((command) =>
  fc.tuple(key, fc.nat(1)).map((parameters) => command(...parameters)),
) as [fc.Arbitrary<Command>, fc.Arbitrary<Command>, fc.Arbitrary<Command>];
const common = [
  requests,
  requests,
  finds,
  others,
  fc.tuple(fc.nat(3), end).map((parameters) => endWrite(...parameters)),
  fc.constant(expire),
];
const ofFailures = (['lose', 'endLease'] as const).map((what) => key.map((at) => fail(what, at)));

async function compare(open: () => Real, failures: typeof ofFailures): Promise<void> {
  const commands = fc.commands<Model, Real, false>([...common, ...failures] as never, {
    maxCommands: 40,
    size: 'max',
  });
  await fc.assert(
    fc.asyncProperty(commands, async (sequence) => {
      run += 1;
      sends = 0;
      const model = new Model();
      await fc.asyncModelRun(() => ({ model, real: open() }), sequence);
      for (const write of [...model.running]) write.end('value');
    }),
    { seed: 16, numRuns: 40 },
  );
}

describe('random requests, ends of writes and failures', () => {
  afterEach(() => void vi.restoreAllMocks());

  it('have the results of the model with a ledger in memory', async () => {
    let now = performance.now();
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    await compare(() => {
      const ledger = memoryLedger(ttlMs);
      const never = () => Promise.reject(new Error('not in memory'));
      const expire = async () => {
        now += ttlMs;
      };
      return { ledgers: [ledger], expire, lose: never, endLease: never };
    }, []);
  });

  it.skipIf(!hasRedis())('have the results of the model with two ledgers that share a Redis', async () => {
    const gateways = await Promise.all([1, 2].map(() => redisLedger(redis.url, ttlMs, 60_000)));
    const [{ commands }] = gateways.map(({ connection }) => forTest(connection)) as [SharedRedis];
    const nameOf = (of: Key) => fleetKeys.keyOf('ledger', owner, `${of}-${run}`);
    const remove = async (of: Key, ...names: string[]) => {
      await commands.del(...names);
      await commands.publish(nameOf(of), '');
    };
    await compare(
      () => ({
        ledgers: gateways.map(({ ledger }) => ledger),
        expire: async () => {
          for (const name of keys.map(nameOf)) {
            if (await commands.hexists(name, 'outcome')) await commands.del(name);
          }
        },
        lose: (of) => remove(of, nameOf(of), `${nameOf(of)}:lease`),
        endLease: (of) => remove(of, `${nameOf(of)}:lease`),
      }),
      ofFailures,
    );
  });
});
