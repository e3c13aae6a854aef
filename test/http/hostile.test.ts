import { describe, expect, it } from 'vitest';
import { sendUpload, upload } from '../support/gateway.ts';
import { gatewayOfService } from '../support/lifetimes.ts';
import * as does from '../support/service.ts';

const { service, gateway } = await gatewayOfService(does.json(200, { status: 'queued' }));

it('100 fragments that spread each other are rejected, in little time', { timeout: 3_000 }, async () => {
  const many = (count: number, item: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => item(index)).join(' ');
  const spreads = (from: number) => many(6, (at) => `...F${(from + at) % 99}`);
  const fragments = many(99, (at) => `fragment F${at} on Query { ${spreads(at + 1)} }`);
  const { status, errors } = await gateway.ask(`{ ${many(10, (at) => `...F${at}`)} } ${fragments}`);
  expect([status, errors?.[0]?.extensions.code]).toEqual([400, 'GRAPHQL_VALIDATION_FAILED']);
  expect(errors?.[0]?.message).toMatch(/^Cannot spread fragment/);
});

describe('a scan with an idempotency key whose response arrives before the upload ends', () => {
  const scan = (idempotencyKey: string) =>
    sendUpload(
      gateway,
      upload(
        'mutation ($i: ScanIdentityCardInput!) { scanIdentityCard(input: $i) { ... on ScanResult { documentId } } }',
        { i: { file: null, queueId: '1', idempotencyKey } },
        'variables.i.file',
        { bytes: Buffer.alloc(5_000_000, 'x'), name: 'a.png' },
      ),
    );

  it.each([
    ['with-success', does.jsonEarly(200, { scanDocuments: { docId: 3, data: {} } }), 'APPLIED'],
    ['with-a-failure', does.jsonEarly(500, {}), 'POSSIBLE'],
    ['with-a-reset', does.resetBeforeBody, 'POSSIBLE'],
  ])('%s is never reported as not done', async (key, behaviour, sideEffect) => {
    service.will(behaviour);
    await scan(key);
    const { errors } = await scan(key);
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'OUTCOME_UNKNOWN', sideEffect, retryable: false });
    expect(service.received).toHaveLength(1);
  });
});
