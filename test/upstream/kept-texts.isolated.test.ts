/**
 * What is kept of a long text, of the service or of a caller, does not keep all of the text in memory: a watch or an
 * outcome lasts for long, and a span waits until it is sent.
 */
import { expect, it } from 'vitest';
import type { Credentials } from '../../src/caller.ts';
import type { TracingConfig } from '../../src/config/config.ts';
import { importEndpoint, importInvoice } from '../../src/features/malaysia/malaysia.api.ts';
import { reasonText } from '../../src/features/malaysia/status-reason.ts';
import { createOpenTelemetry, resourceOf } from '../../src/telemetry/open-telemetry.ts';
import { shortened } from '../../src/tools/shortened.ts';
import type { Call } from '../../src/upstream/call/call.ts';
import { reportedBeside } from '../../src/upstream/service-texts.ts';
import { anInvoice } from '../support/an-invoice.ts';
import { startTestGateway } from '../support/gateway.ts';
import { heapBytes } from '../support/heap.ts';
import { forTest } from '../support/lifetimes.ts';
import { silentLog } from '../support/redis.ts';
import { hang, startService } from '../support/service.ts';

const importCall = { endpoint: importEndpoint, credentials: {} as Credentials };

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
])('%s does not keep the text that it is a part of in memory', async (_what, keep, expected) => {
  const before = await heapBytes();
  const kept = Array.from({ length: 20 }, (_, index) => keep(1_000_000 + index));
  expect((await heapBytes()) - before).toBeLessThan(2_000_000);
  expect(kept).toEqual(Array(20).fill(expected));
});

it('a span that continues a trace does not keep the header of its caller in memory', async () => {
  const config = {
    sampler: 'always_on',
    samplerRatio: 1,
    trustsParent: true,
    endpoint: new URL('http://localhost'),
  };
  const { start } = createOpenTelemetry(config as TracingConfig, resourceOf('0.0.0'), '0.0.0', silentLog);
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const before = await heapBytes();
  const spans = Array.from({ length: 20 }, (_, index) => {
    const traceparent = `01-${traceId}-b7ad6b7169203331-01-${'x'.repeat(1_000_000 + index)}`;
    return start('query', { parent: { traceparent, tracestate: undefined } });
  });
  // The code that is loaded with the first span takes more than 1 MB.
  expect((await heapBytes()) - before).toBeLessThan(5_000_000);
  expect(spans.map((span) => span.traceId)).toEqual(Array(20).fill(traceId));
});

it('spans that wait for a collector do not keep the long names of their operations in memory', async () => {
  const { url } = forTest(await startService(hang));
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: url, LOG_LEVEL: 'silent' };
  const gateway = forTest(await startTestGateway(environment));
  let sent = 0;
  const send100 = async () => {
    for (const last = sent + 100; sent < last; sent += 1) {
      const { data } = await gateway.ask(`query ${'n'.repeat(65_000)}${sent} { __typename }`);
      expect(data).toEqual({ __typename: 'Query' });
    }
    return await heapBytes();
  };
  // Until the caches are filled, with the names that they keep.
  await send100();
  const before = await send100();
  expect((await send100()) - before).toBeLessThan(3_000_000);
});
