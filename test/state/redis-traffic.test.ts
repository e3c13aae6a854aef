/** The figures of docs/capacity.md, "Redis". */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { startTestGateway } from '../support/gateway.ts';
import { forTest, redisForFile, serviceForFile } from '../support/lifetimes.ts';
import { fleetOf, hasRedis } from '../support/redis.ts';
import * as does from '../support/service.ts';

const redis = await redisForFile();
const service = await serviceForFile(does.json(200, { createGroup: { id: 8, name: 'Cards' } }));
/** So many that what gateways send every 5 seconds hardly counts. */
const [batches, batchSize] = [20, 10];

/** The bytes to Redis of a row of the table. */
function stated(row: string): number {
  const line = readFileSync('docs/capacity.md', 'utf8')
    .split('\n')
    .find((text) => text.startsWith(`| ${row}`));
  const [, amount, unit] = /^\|[^|]*\| \d \| ([\d.]+)( kB)? \|/.exec(line ?? '') ?? [];
  return Number(amount) * (unit ? 1_000 : 1);
}

const write = (key: number) =>
  `mutation { createGroup(input: { name: "Cards", idempotencyKey: "traffic-${key}" }) { ... on Group { id } } }`;

it.skipIf(!hasRedis())('Redis receives as many bytes for a request as docs/capacity.md states', async () => {
  const start = (settings = {}) =>
    startTestGateway({ UPSTREAM_URL: service.url, ...fleetOf(redis), ...settings });
  const keyed = forTest(await start());
  const limited = forTest(await start({ RATE_LIMIT_PER_MINUTE: '1000' }));
  const received = async () =>
    Number(/total_net_input_bytes:(\d+)/.exec(await redis.client.info('stats'))?.[1]);
  /** For one of the requests, as a part of what is stated. */
  async function ratio(row: string, request: (index: number) => Promise<{ errors?: unknown }>) {
    const before = await received();
    for (let first = 0; first < batches * batchSize; first += batchSize) {
      const batch = Array.from({ length: batchSize }, (_, index) => request(first + index));
      for (const { errors } of await Promise.all(batch)) expect(errors).toBeUndefined();
    }
    return ((await received()) - before) / (batches * batchSize) / stated(row);
  }
  const rows: [string, (index: number) => Promise<{ errors?: unknown }>][] = [
    ['a write with an idempotency key', (index) => keyed.ask(write(index))],
    ['its repetition', (index) => keyed.ask(write(index))],
    ['any operation, with `RATE_LIMIT_PER_MINUTE`', () => limited.ask('{ __typename }')],
  ];
  for (const [row, request] of rows) {
    const part = await ratio(row, request);
    expect.soft(part, row).toBeGreaterThan(0.9);
    expect.soft(part, row).toBeLessThan(1.1);
  }
});
