/** `writeOutcome`: what became of a write, found by its idempotency key, over both stores of the ledger. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { alice, bob, sendUpload, startTestGateway, type TestGateway, upload } from '../support/gateway.ts';
import { redisForFile, serviceForFile } from '../support/lifetimes.ts';
import { fleetOf, hasRedis } from '../support/redis.ts';
import * as does from '../support/service.ts';

const question = `query ($key: String!) { writeOutcome(idempotencyKey: $key) {
  state
  result {
    __typename
    ... on Group { id name createdAt queues { id } }
    ... on ScanResult { documentId card { name { text } } }
    ... on FapiaoRequest { id requestId warnings { rule } }
    ... on MalaysiaImport { documentId docType docNumber warnings { rule } }
  }
} }`;

const service = await serviceForFile();
const redis = await redisForFile();

describe.each(hasRedis() ? (['memory', 'Redis'] as const) : (['memory'] as const))(
  'writeOutcome over the store in %s',
  (store) => {
    let gateway: TestGateway;
    beforeAll(async () => {
      const fleet = store === 'Redis' ? fleetOf(redis) : {};
      gateway = await startTestGateway({ UPSTREAM_URL: service.url, ...fleet });
      return gateway.close;
    });
    const outcomeOf = async (key: string, headers: Record<string, string> = alice) => {
      const { data, errors } = await gateway.ask(question, { key }, headers);
      return errors ? errors[0]?.extensions : data.writeOutcome;
    };
    const create = (key: string) =>
      gateway.ask(
        'mutation ($key: String) { createGroup(input: { name: "Kad", idempotencyKey: $key }) { __typename } }',
        { key },
      );

    it('returns the result of a group, and makes no call', async () => {
      const key = randomUUID();
      service.will(does.json(200, { createGroup: { id: 7, name: 'Kad', createdAt: 1_780_000_000_000 } }));
      await create(key);
      const calls = service.received.length;
      expect(await outcomeOf(key)).toEqual({
        state: 'COMPLETED',
        result: {
          __typename: 'Group',
          id: '7',
          name: 'Kad',
          createdAt: new Date(1_780_000_000_000).toISOString(),
          queues: [],
        },
      });
      expect(service.received).toHaveLength(calls);
    });

    /** The outcome of a scan for which the service returns this data. */
    async function outcomeOfScan(data: object) {
      const key = randomUUID();
      service.will(does.json(200, { scanDocuments: { docId: 9, status: 'COMPLETED', data } }));
      const query = `mutation ($file: Upload!, $key: String) {
        scanIdentityCard(input: { file: $file, queueId: "7", idempotencyKey: $key }) { __typename }
      }`;
      const card = { bytes: 'a picture', name: 'card.png' };
      await sendUpload(gateway, upload(query, { file: null, key }, 'variables.file', card));
      return await outcomeOf(key);
    }

    it('returns the result of a scan whose caller did not get it', async () => {
      const Name = { UIType: 'Text', matches: [{ match: 'Tan', keyword: null, page: 0, value: null }] };
      expect(await outcomeOfScan({ Name })).toEqual({
        state: 'COMPLETED',
        result: { __typename: 'ScanResult', documentId: '9', card: { name: { text: 'Tan' } } },
      });
    });

    it.runIf(store === 'Redis')(
      'says that a scan was done whose result is too large to be kept',
      async () => {
        const box = [1, 2, 3, 4, 2, 3, 'x'.repeat(300), ''];
        const SmallBoxes = Array(1_000).fill({ box, page: 0 });
        expect(await outcomeOfScan({ SmallBoxes })).toEqual({ state: 'COMPLETED', result: null });
      },
    );

    it('returns the result of a Fapiao and of an import', async () => {
      const [fapiao, invoice] = [randomUUID(), randomUUID()];
      service.will(
        does.json(200, { createXmlDocument: { message: 'accepted', requestId: 'r-1' } }),
        does.json(200, { docId: 5, requestId: 'r', docType: 'invoice', docNumber: 'INV-1' }),
      );
      await gateway.ask(
        'mutation ($xml: String, $key: String) { createFapiao(input: { document: { xml: $xml }, idempotencyKey: $key }) { __typename } }',
        { xml: readFileSync('test/fixtures/fapiao.xml', 'utf8'), key: fapiao },
      );
      await gateway.ask(
        `mutation ($key: String) { importMalaysiaInvoice(input: { queueId: "42", idempotencyKey: $key,
          invoice: { docType: INVOICE, docNumber: "INV-1", lines: [{ amountExclTax: "1.00" }] } }) { __typename } }`,
        { key: invoice },
      );
      const request = { __typename: 'FapiaoRequest', requestId: 'r-1' };
      expect((await outcomeOf(fapiao)).result).toMatchObject(request);
      expect((await outcomeOf(invoice)).result).toEqual({
        __typename: 'MalaysiaImport',
        documentId: '5',
        docType: 'INVOICE',
        docNumber: 'INV-1',
        warnings: [],
      });
    });

    it('is IN_PROGRESS while the write runs, and does not wait for it', async () => {
      const key = randomUUID();
      const held = service.hold(does.json(200, { createGroup: { id: 8 } }));
      const write = create(key);
      const respond = await does.arrival(held, write);
      expect(await outcomeOf(key)).toEqual({ state: 'IN_PROGRESS', result: null });
      respond();
      await write;
      expect((await outcomeOf(key)).state).toBe('COMPLETED');
    });

    it('is OUTCOME_UNKNOWN after a response was lost', async () => {
      const key = randomUUID();
      service.will(does.reset);
      expect((await create(key)).errors?.[0]?.extensions['code']).toBe('OUTCOME_UNKNOWN');
      expect(await outcomeOf(key)).toEqual({ state: 'OUTCOME_UNKNOWN', result: null });
    });

    it.each([
      ['never used', undefined],
      ['freed, because the service refused the write', does.json(422, { message: 'no' })],
      ['freed, because the token had expired', does.json(401, {})],
    ])('is null for a key that was %s', async (_what, behaviour) => {
      const key = randomUUID();
      if (behaviour) {
        service.will(behaviour);
        await create(key);
      }
      expect(await outcomeOf(key)).toBeNull();
    });

    it('shows nothing to another caller, and no result to another token of the same API key', async () => {
      const key = randomUUID();
      service.will(does.json(200, { createGroup: { id: 7 } }));
      await create(key);
      expect(await outcomeOf(key, bob)).toBeNull();
      const renewed = { ...alice, authorization: 'Bearer renewed-token' };
      expect(await outcomeOf(key, renewed)).toEqual({ state: 'OUTCOME_UNKNOWN', result: null });
      expect((await outcomeOf(key)).state).toBe('COMPLETED');
    });

    it('requires a credential, and a well-formed key', async () => {
      const sideEffect = 'NONE';
      expect(await outcomeOf(randomUUID(), {})).toMatchObject({ code: 'UNAUTHENTICATED', sideEffect });
      expect(await outcomeOf('short')).toMatchObject({ code: 'BAD_USER_INPUT', sideEffect });
    });

    it.skipIf(store === 'memory')('fails as retryable while Redis does not reply', async () => {
      const key = randomUUID();
      service.will(does.json(200, { createGroup: { id: 7 } }));
      await create(key);
      await redis.stop();
      const unavailable = { code: 'UPSTREAM_UNAVAILABLE', retryable: true, sideEffect: 'NONE' };
      expect(await outcomeOf(key)).toMatchObject(unavailable);
      await redis.start();
    });
  },
);
