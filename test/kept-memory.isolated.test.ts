/**
 * What lasts for longer than a turn of the event loop, such as a watch, an outcome, a cached document or a span that waits until
 * it is sent, keeps neither the long text of which it is a part nor more than what is counted for it.
 */
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Credentials } from '../src/caller.ts';
import type { TracingConfig } from '../src/config/config.ts';
import { GatewayError } from '../src/errors.ts';
import { importEndpoint, importInvoice } from '../src/features/malaysia/malaysia.api.ts';
import { reasonText } from '../src/features/malaysia/status-reason.ts';
import { mexicoValidationEndpoint } from '../src/features/mexico/mexico.api.ts';
import type { Context } from '../src/graphql/context.ts';
import { createLoader } from '../src/graphql/loader.ts';
import { createDocumentCache } from '../src/operation/document-cache.ts';
import { createDocumentParser, type ValidDocument } from '../src/operation/valid-document.ts';
import { schema } from '../src/schema.ts';
import { createMetrics } from '../src/telemetry/metrics.ts';
import { startExports } from '../src/telemetry/open-telemetry.ts';
import { Resources } from '../src/tools/resources.ts';
import { shortened } from '../src/tools/shortened.ts';
import type { Call } from '../src/upstream/call/call.ts';
import { reportedBeside } from '../src/upstream/texts/service-texts.ts';
import { anInvoice } from './support/an-invoice.ts';
import { startTestGateway } from './support/gateway.ts';
import { heapBytes } from './support/heap.ts';
import { keyed, ledgerBudget, memoryLedger } from './support/ledgers.ts';
import { forTest } from './support/lifetimes.ts';
import { silentLog } from './support/redis.ts';
import { hang, startService } from './support/service.ts';

const importCall = { endpoint: importEndpoint, caller: { credentials: {} as Credentials } };
const { start } = startExports(
  {
    sampler: 'always_on',
    samplerRatio: 1,
    trustsParent: true,
    endpoint: new URL('http://localhost'),
  } as TracingConfig,
  '0.0.0',
  createMetrics('0.0.0'),
  silentLog,
  new Resources(),
);
const traceId = '0af7651916cd43dd8448eb211c80319c';
let before = await heapBytes();

it.each<[string, (length: number) => unknown, unknown]>([
  ['a shortened text', (length) => shortened('x'.repeat(length), 50), `${'x'.repeat(49)}…`],
  [
    'the reason of a status',
    (length) => reasonText(`${' '.repeat(length)}The buyer TIN is not valid.`),
    'The buyer TIN is not valid.',
  ],
  [
    'the path of a problem',
    (length) => {
      const path = `lines/0/amountExclTaxOrDiscount${'/'.repeat(length)}`;
      return reportedBeside({ errors: [{ path, message: 'Too high.' }] }, importCall)[0]?.path;
    },
    ['invoice', 'lines', '0', 'amountExclTaxOrDiscount'],
  ],
  [
    'the queue of an import, which is a literal of its operation,',
    (length) => {
      const literal = `queue-of-the-invoices${' '.repeat(length)}`.trim();
      let queueId: string | undefined;
      const call = <T>({ decode }: Call<T>) => {
        const imported = decode({ docId: 1 }, () => {}, []);
        ({ queueId } = imported as { queueId: string });
        return Promise.resolve(imported);
      };
      void importInvoice({ call }, literal, anInvoice());
      return queueId;
    },
    'queue-of-the-invoices',
  ],
  [
    'the trace that a span continues, which is in a header of its caller,',
    (length) => {
      const traceparent = `01-${traceId}-b7ad6b7169203331-01-${'x'.repeat(length)}`;
      return start('query', { parent: { traceparent, tracestate: undefined } }).traceId;
    },
    traceId,
  ],
])('%s does not keep the text that it is a part of in memory', async (_what, keep, expected) => {
  const kept = Array.from({ length: 10 }, (_, index) => keep(1_000_000 + index));
  const growth = (await heapBytes()) - before;
  // The last text that matches an expression is kept by the engine.
  expect(growth).toBeLessThan(3_000_000);
  before += growth;
  expect(kept).toEqual(Array(10).fill(expected));
});

it('spans that wait for a collector do not keep the long names of their operations in memory', async () => {
  const { url } = forTest(await startService(hang));
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: url, LOG_LEVEL: 'silent' };
  const gateway = forTest(await startTestGateway(environment));
  let sent = 0;
  const heapAfter = async (count: number) => {
    for (const last = sent + count; sent < last; sent += 1) {
      const { data } = await gateway.ask(`query ${'n'.repeat(65_000)}${sent} { __typename }`);
      expect(data).toEqual({ __typename: 'Query' });
    }
    return await heapBytes();
  };
  // Until the caches are filled, with the names that they keep.
  const before = await heapAfter(100);
  expect((await heapAfter(40)) - before).toBeLessThan(850_000);
});

/** Documents with little text a token, with few tokens, and with few tokens for their text. */
it.each<[string, number, (index: number) => string]>([
  ['many tokens', 20, (index) => `{malaysiaStatuses(documentIds:[${index}${',1'.repeat(900)}]){state}}`],
  ['few tokens', 600, (index) => `{ malaysiaStatus(documentId: "${index}") { state } }`],
  ['a long comment', 25, (index) => `{ a${index}: __typename } # ${'漢'.repeat(60_000)}`],
])(
  'cached documents of %s hold less than 1 MB of the heap when they may hold half',
  async (_of, count, text) => {
    const valid = createDocumentCache(createDocumentParser(schema, false), 512 * 1024, () => undefined);
    valid(text(0));
    const before = await heapBytes();
    let last: ValidDocument | undefined;
    for (let index = 1; index <= count; index += 1) last = valid(text(index));
    expect((await heapBytes()) - before).toBeLessThan(1024 * 1024);
    expect(valid(text(count)), 'the newest is kept').toBe(last);
  },
);

describe('the ledger keeps not more than it counts', () => {
  it.each<[string, number, (at: number) => unknown]>([
    [
      'of a failed write',
      100,
      (at) => {
        const input = Array.from({ length: 300 }, (_, line) => ({ line, name: `${at} ${line}` }));
        // The stack of the error keeps the function, and with it the input.
        const fail = () => {
          const message = `The response about ${input.length} lines cannot be read.`;
          throw new GatewayError({ code: 'UPSTREAM_BAD_RESPONSE', message, sideEffect: 'POSSIBLE' });
        };
        return fail();
      },
    ],
    ['of a value', 20, () => Array.from({ length: 5_000 }, () => ({}))],
  ])('%s', async (_what, count, write) => {
    const budget = ledgerBudget(64 * 1024 * 1024);
    const ledger = memoryLedger(60_000, budget);
    const before = await heapBytes();
    for (let at = 0; at < count; at += 1)
      await ledger.runOnce(keyed(`key-${at}`), async () => write(at)).catch(() => {});
    // The rest belongs to the test.
    expect((await heapBytes()) - before).toBeLessThan(2 * budget.held);
  });

  it('of a key with a small outcome', async () => {
    const budget = ledgerBudget(64 * 1024 * 1024);
    const ledger = memoryLedger(60_000, budget);
    const send = (at: number) => ledger.runOnce(keyed(`key-${at}`), async () => ({ documentId: `${at}` }));
    await send(0);
    const [before, counted] = [await heapBytes(), budget.held];
    for (let at = 1; at <= 1_000; at += 1) await send(at);
    expect(((await heapBytes()) - before) / (budget.held - counted)).toBeLessThan(1);
  });
});

describe('an operation that waits for one value keeps none of the others:', () => {
  const objects = () => Promise.resolve(Array.from({ length: 10_000 }, () => ({})));
  /** What waits for it is held with it. */
  const never = new Promise<object[]>(() => {});
  const aContext = () => ({ cache: undefined }) as Context;

  /** What an operation holds (bytes) that has loaded 10 values of 10,000 objects with `load` and waits for another one. */
  async function heldWith(load: (key: string) => Promise<unknown>, waiting: () => unknown): Promise<number> {
    const before = await heapBytes();
    const waits = waiting();
    const lengths = Array.from(
      { length: 10 },
      async (_, key) => ((await load(String(key))) as unknown[]).length,
    );
    expect(await Promise.all(lengths)).toEqual(Array(10).fill(10_000));
    await setImmediate();
    const held = (await heapBytes()) - before;
    expect(waits).toBeDefined();
    return held;
  }

  it('of a loader', async () => {
    const load = createLoader(mexicoValidationEndpoint, (keys) =>
      keys.map((key) => (key === 'slow' ? never : objects())),
    );
    const context = aContext();
    const held = await heldWith(
      (key) => load(key, context),
      () => load('slow', context),
    );
    expect(held).toBeLessThan(1_000_000);
  });
});

function closedGateway() {
  const watches = new Set<string>();
  createMetrics('0.0.0').gauge('folio_watches', () => watches.size);
  return new WeakRef(watches);
}

it('the metrics of the process keep nothing of a gateway that was closed', async () => {
  const watches = closedGateway();
  await heapBytes();
  expect(watches.deref()).toBeUndefined();
});
