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

const group = (key: string) =>
  `mutation { createGroup(input: { name: "${key}", idempotencyKey: "${key}-recorded" }) { ... on Group { id } } }`;
const fapiao =
  'mutation { createFapiao(input: { name: "发票", document: { xml: "<EInvoice><Header/><EInvoiceData/><SellerAuthentication/>' +
  '<TaxSupervisionInfo/><TaxBureauSignature/></EInvoice>" }, idempotencyKey: "fapiao-recorded" }) ' +
  '{ ... on FapiaoRequest { requestId message } } }';
const malaysia =
  'mutation { importMalaysiaInvoice(input: { queueId: 42, idempotencyKey: "malaysia-recorded", invoice: { docType: INVOICE, ' +
  'docNumber: "INV-1", supplier: { extra: { rate: 1.50 } }, buyer: {}, totals: { total: 11.10 }, ' +
  'lines: [{ amountExclTax: "10.10", taxes: [{ type: SALES_TAX, amount: 1 }] }] } }) { ... on MalaysiaImport ' +
  '{ documentId docType docNumber govPortal { submissionId uuid } } } }';

async function record(version: string, entry?: string): Promise<RecordedEntries> {
  const redis = await startRedis();
  const { client } = redis;
  const service = await does.startService();
  const gateway = await startProcess({ UPSTREAM_URL: service.url, ...fleetOf(redis) }, entry);
  const writes: RecordedWrite[] = [];
  for (const [query, behave] of [
    [group('done'), does.json(200, { createGroup: { id: 7 } })],
    [group('lost'), does.reset],
    [fapiao, does.json(200, { createXmlDocument: { message: 'accepted', requestId: 'request-7' } })],
    [
      malaysia,
      does.json(200, { docId: 7, docType: 'invoice', docNumber: 'INV-1', govPortal: { uuid: 'U7' } }),
    ],
  ] as const) {
    service.will(behave);
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
