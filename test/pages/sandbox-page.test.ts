/** Every magic input and control of docs/sandbox.md has the effect that the page states, through a gateway. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { endpointNames } from '../../src/sandbox/endpoints.ts';
import { alice, sendUpload, startTestGateway, type TestGateway, upload } from '../support/gateway.ts';
import { controlSandbox } from '../support/sandbox-controls.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

const validation = (documentId: string, headers: Record<string, string> = alice) =>
  gateway.ask(
    'query ($id: ID!) { mexicoValidation(by: { documentId: $id }) { result invalidReason steps { name result } } }',
    { id: documentId },
    headers,
  );
const createGroup = (headers: Record<string, string>) =>
  gateway.ask('mutation { createGroup(input: { name: "A" }) { ... on Group { id } } }', {}, headers);

it('API keys and tokens', async () => {
  const codeFor = async (headers: Record<string, string>) =>
    (await validation('1001', { ...alice, ...headers })).errors?.[0]?.extensions['code'];
  expect(await codeFor({ 'x-api-key': 'bad-1' })).toBe('UNAUTHENTICATED');
  expect(await codeFor({ 'x-api-key': 'forbidden-1' })).toBe('FORBIDDEN');
  expect(await codeFor({ authorization: 'Bearer expired-1' })).toBe('UNAUTHENTICATED');
  expect(await codeFor({ authorization: 'Bearer bad-1' })).toBe('UNAUTHENTICATED');
  expect(await codeFor({ 'x-api-key': 'any', authorization: 'Bearer any' })).toBeUndefined();

  const limited = { ...alice, 'x-api-key': 'limited-1' };
  for (let n = 0; n < 2; n++) expect((await createGroup(limited)).errors).toBeUndefined();
  expect((await createGroup(limited)).errors?.[0]?.extensions).toMatchObject({
    code: 'RATE_LIMITED',
    retryAfterMs: 1000,
  });
});

it('names of scanned files', async () => {
  const scan = async (name: string) => {
    const query = `mutation ($file: Upload!) { scanIdentityCard(input: { file: $file, queueId: "7" }) {
      __typename ... on ScanResult { card { name { text } nricNumber { text } } } } }`;
    return await sendUpload(
      gateway,
      upload(query, { file: null }, 'variables.file', { bytes: 'the same bytes', name }),
    );
  };
  const [one, other] = [await scan('one.png'), await scan('other.png')];
  expect(one.data.scanIdentityCard.card.name.text).toMatch(/\w/);
  expect(other.data.scanIdentityCard.card).toEqual(one.data.scanIdentityCard.card);
  const blank = (await scan('blank.png')).data.scanIdentityCard;
  expect(blank.__typename).toBe('ScanResult');
  expect(blank.card?.name?.text ?? null).toBeNull();
  expect((await scan('corrupt.png')).data.scanIdentityCard.__typename).toBe('InvalidInput');
  expect((await scan('program.exe')).errors?.[0]?.extensions['code']).toBe('UNSUPPORTED_FILE');
});

it('Mexican document ids', async () => {
  const stored = async (id: string) => (await validation(id)).data.mexicoValidation;
  expect(await stored('1001')).toMatchObject({ result: 'VALID' });
  expect(await stored('1002')).toMatchObject({
    result: 'INVALID',
    invalidReason: expect.stringContaining('cancelled'),
  });
  expect(await stored('1003')).toMatchObject({ result: 'VALID' });
  expect(await stored('1004')).toMatchObject({
    result: 'INVALID',
    steps: expect.arrayContaining([{ name: 'SCHEMA', result: 'FAIL' }]),
  });
  expect(await stored('1005')).toMatchObject({
    result: 'INVALID',
    invalidReason: expect.stringContaining('69-B'),
  });
  expect([await stored('1999'), await stored('777')]).toEqual([null, null]);
});

it('Malaysian document numbers, and the clock', async () => {
  const importAs = async (number: string): Promise<string> => {
    const { data } = await gateway.ask(
      `mutation ($number: String!) { importMalaysiaInvoice(input: { queueId: "42", invoice: { docType: INVOICE,
        docNumber: $number, lines: [{ amountExclTax: "1.00" }] } }) { ... on MalaysiaImport { documentId } } }`,
      { number },
    );
    return data.importMalaysiaInvoice.documentId;
  };
  const numbers = ['A-1', 'A-REJ', 'A-FAIL', 'A-NOW', 'A-SLOW', 'A-1'];
  const ids: string[] = [];
  for (const number of numbers) ids.push(await importAs(number));
  const states = async () => {
    const { data } = await gateway.ask(
      'query ($ids: [ID!]!) { malaysiaStatuses(documentIds: $ids) { state } }',
      {
        ids,
      },
    );
    return data.malaysiaStatuses.map(({ state }: { state: string }) => state);
  };
  const advance = (advanceMs: number) => controlSandbox(gateway, 'clock', { advanceMs });
  expect(await states()).toEqual(['QUEUED', 'QUEUED', 'QUEUED', 'SUBMITTED', 'QUEUED', 'QUEUED']);
  await advance(8_000);
  expect(await states()).toEqual(['SUBMITTED', 'SUBMITTED', 'FAILED', 'SUBMITTED', 'QUEUED', 'SUBMITTED']);
  await advance(10_000);
  expect(await states()).toEqual(['VALIDATED', 'REJECTED', 'FAILED', 'VALIDATED', 'QUEUED', 'REJECTED']);
  await advance(162_000);
  expect((await states())[4]).toBe('VALIDATED');
});

it('Malaysian document ids that need no import, again after their end', async () => {
  const states = async () => {
    const { data } = await gateway.ask('{ malaysiaStatuses(documentIds: ["2001", "2002"]) { state } }');
    return data.malaysiaStatuses.map(({ state }: { state: string }) => state);
  };
  for (let time = 0; time < 2; time += 1) {
    expect(await states()).toEqual(['QUEUED', 'QUEUED']);
    await controlSandbox(gateway, 'clock', { advanceMs: 8_000 });
    expect(await states()).toEqual(['SUBMITTED', 'SUBMITTED']);
    await controlSandbox(gateway, 'clock', { advanceMs: 10_000 });
    expect(await states()).toEqual(['VALIDATED', 'REJECTED']);
  }
});

it('faults make the errors that the page about retries shows first', async () => {
  const page = readFileSync('docs/retrying-safely.md', 'utf8');
  const shown = [...page.matchAll(/```json\n([\s\S]*?)```/g)]
    .slice(0, 2)
    .map(([, text]) => JSON.parse(String(text)));
  for (const [index, fault] of ['status-503', 'unavailable-2'].entries()) {
    await controlSandbox(gateway, 'faults', { endpoint: 'createGroup', fault });
    const { requestId, upstream } = shown[index];
    const { errors } = await createGroup({ ...alice, 'x-request-id': requestId });
    expect(errors?.[0]?.extensions).toEqual(shown[index]);
    expect(upstream.requestId).toBe(requestId);
  }
});

it('the page names every endpoint that a fault can name', () => {
  const page = readFileSync('docs/sandbox.md', 'utf8');
  for (const name of endpointNames) expect(page).toContain(`\`${name}\``);
});
