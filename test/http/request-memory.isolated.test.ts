/** What requests leave in memory: nothing that grows with their number. */
import { expect, it } from 'vitest';
import { startTestGateway } from '../support/gateway.ts';
import { heapBytes } from '../support/heap.ts';
import { forTest } from '../support/lifetimes.ts';

it('2,000 requests with 20 variables each leave less than 1 MiB after they have ended', async () => {
  const gateway = forTest(await startTestGateway({ LOG_LEVEL: 'warn' }));
  const names = Array.from({ length: 20 }, (_, index) => `id${index}`);
  const declarations = names.map((name) => `$${name}: ID!`);
  const fields = names.map(
    (name) => `${name}: malaysiaStatus(documentId: $${name}) @skip(if: true) { state }`,
  );
  const query = `query (${declarations.join(', ')}) { ${fields.join(' ')} }`;
  const variables = Object.fromEntries(names.map((name, index) => [name, String(index)]));
  const senders = 8;
  const send = (requests: number) =>
    Promise.all(
      Array.from({ length: senders }, async () => {
        for (let sent = 0; sent < requests / senders; sent += 1) {
          const { data, errors } = await gateway.ask(query, variables);
          expect({ data, errors }).toEqual({ data: {} });
        }
      }),
    );
  // Until the code is compiled and the caches are filled.
  await send(600);
  const before = heapBytes();
  await send(2_000);
  expect(heapBytes() - before).toBeLessThan(1024 * 1024);
}, 60_000);
