/** What requests leave in memory: nothing that grows with their number. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function heapBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

const megabyte = 1024 * 1024;
const senders = 8;

describe('2,000 requests that have ended', { timeout: 60_000 }, () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startTestGateway({ LOG_LEVEL: 'warn' });
  });
  afterAll(() => gateway.close());

  it('leave less than 1 MiB, with 20 variables each', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `id${index}`);
    const declarations = names.map((name) => `$${name}: ID!`).join(', ');
    const fields = names.map(
      (name) => `${name}: malaysiaStatus(documentId: $${name}) @skip(if: true) { state }`,
    );
    const query = `query (${declarations}) { ${fields.join(' ')} }`;
    const variables = Object.fromEntries(names.map((name, index) => [name, String(index)]));
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
    expect(heapBytes() - before).toBeLessThan(megabyte);
  });
});
