/**
 * Records what a gateway stores in Redis for keyed writes, as a fixture of its release:
 *
 *     npm run record-entries -- 0.3.0 [src/main.ts]
 *
 * Later releases must read it: entries live for IDEMPOTENCY_TTL_MS, and gateways of two releases run together during an
 * upgrade. Requires redis-server on the PATH.
 */
import { writeFileSync } from 'node:fs';
import { post } from '../support/gateway.ts';
import { killProcesses, startProcess } from '../support/process.ts';
import { fleetOf, fleetSecret, startRedis } from '../support/redis.ts';
import * as does from '../support/service.ts';

export interface RecordedEntries {
  readonly version: string;
  readonly secret: string;
  readonly writes: readonly RecordedWrite[];
}

export interface RecordedWrite {
  readonly query: string;
  /** What the caller got. */
  readonly result: { readonly data?: unknown; readonly errors?: readonly { readonly extensions: object }[] };
  /** Name of the entry in Redis, and its fields in base64. */
  readonly name: string;
  readonly fields: Readonly<Record<string, string>>;
}

const mutation = (key: string) =>
  `mutation { createGroup(input: { name: "${key}", idempotencyKey: "${key}-recorded" }) { ... on Group { id } } }`;

async function record(version: string, entry?: string): Promise<RecordedEntries> {
  const redis = await startRedis();
  const { client } = redis;
  const service = await does.startService();
  const gateway = await startProcess({ UPSTREAM_URL: service.url, ...fleetOf(redis) }, entry);
  const writes: RecordedWrite[] = [];
  for (const [key, behave] of [
    ['done', does.json(200, { createGroup: { id: 7 } })],
    ['lost', does.reset],
  ] as const) {
    service.will(behave);
    const query = mutation(key);
    const result = (await (await post(gateway, { query })).json()) as RecordedWrite['result'];
    const [name = ''] = (await client.keys('folio:ledger:*')).filter(
      (found) => found.endsWith('}') && !writes.some((write) => write.name === found),
    );
    const fields = Object.fromEntries(
      Object.entries(await client.hgetallBuffer(name)).map(([field, value]) => [
        field,
        value.toString('base64'),
      ]),
    );
    writes.push({ query, result, name, fields });
  }
  killProcesses();
  await service.close();
  await redis.close();
  return { version, secret: fleetSecret, writes };
}

if (import.meta.main) {
  const [version = '', entry] = process.argv.slice(2);
  const file = `test/fixtures/ledger-entries/${version}.json`;
  writeFileSync(file, `${JSON.stringify(await record(version, entry), null, 2)}\n`);
  console.log(`wrote ${file}`);
}
