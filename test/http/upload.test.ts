import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { credentialHeaders } from '../../src/caller.ts';
import { countBounds, heapSize } from '../../src/config/memory-budgets.ts';
import {
  alice,
  readResponse,
  sendUpload,
  startTestGateway,
  startTestHandler,
  upload,
  withKey,
} from '../support/gateway.ts';
import { forFile, forTest, serviceForFile } from '../support/lifetimes.ts';
import { metricOf } from '../support/metric.ts';
import { form, headOf, openConnection, resultIn } from '../support/raw-http.ts';
import * as does from '../support/service.ts';

const maxUploadBytes = 1_000_000;
const service = await serviceForFile(
  does.json(200, { scanDocuments: { docId: 7, status: 'COMPLETED', data: {} } }),
);
const environment = { UPSTREAM_URL: service.url, MAX_UPLOAD_BYTES: String(maxUploadBytes) };
const gateway = forFile(await startTestGateway(environment));
const handler = forFile(await startTestHandler(environment));

const scan = `mutation ($input: ScanIdentityCardInput!) {
  scanIdentityCard(input: $input) { ... on ScanResult { documentId } ... on InvalidInput { message } }
}`;
const path = 'variables.input.file';
const input = { file: null, queueId: 'q-1', handwritten: true };
const apiKey = withKey(alice[credentialHeaders.apiKey]);

interface Scan {
  readonly name?: string;
  readonly idempotencyKey?: string;
  readonly headers?: Record<string, string>;
}

function formOf(bytes: Uint8Array | string, { name = 'card.png', idempotencyKey }: Scan = {}) {
  return upload(scan, { input: { ...input, idempotencyKey } }, path, { bytes, name });
}

const scanOf = (bytes: Uint8Array | string, options: Scan = {}) =>
  sendUpload(gateway, formOf(bytes, options), options.headers);

/** Sends a request to the server and to the handler of `Request` objects, which have to respond alike. */
async function send(init: RequestInit) {
  const all = { method: 'POST', ...init };
  const refusals = [];
  for (const response of [await fetch(gateway.url, all), await handler.fetch('/graphql', all)]) {
    const { errors, status } = await readResponse(response);
    const { requestId, upstream, ...extensions } = errors?.[0]?.extensions ?? {};
    refusals.push({ status, message: errors?.[0]?.message, path: errors?.[0]?.path, extensions });
  }
  expect(refusals[1]).toEqual(refusals[0]);
  return refusals[0];
}

const sendForm = (body: string | Buffer<ArrayBuffer>) =>
  send({ headers: { ...alice, ...form.headers }, body });

/** The parts of the multipart body that the service received. */
async function parts(): Promise<FormData> {
  const { headers, body } = service.received[0] as does.Received;
  return await new Response(new Uint8Array(body), {
    headers: { 'content-type': headers['content-type'] as string },
  }).formData();
}

const operations = form.part('operations', JSON.stringify({ query: scan, variables: { input } }));
const mapTo = (...paths: string[]) => form.part('map', JSON.stringify({ 0: paths }));
const map = mapTo(path);
const file = form.file('abc');
const latin1 = 'content-type: application/json; charset=latin1';
/** A part of the file `abc` with these parameters and header lines. */
const filePart = (parameters: string, headers: string) =>
  `--x\r\n${[`content-disposition: form-data; name="0"; ${parameters}`, headers].join('\r\n')}\r\n\r\nabc\r\n`;

describe('a scan', () => {
  it('reaches the service with its bytes, its queue and its flag', async () => {
    const bytes = randomBytes(500_000);
    const expected = { status: 200, data: { scanIdentityCard: { documentId: '7' } } };
    expect(await scanOf(bytes)).toMatchObject(expected);
    const received = await parts();
    expect([...received.keys()]).toEqual(['qid', 'handwritten', 'files']);
    expect([received.get('qid'), received.get('handwritten')]).toEqual(['q-1', '[true]']);
    const file = received.get('files') as File;
    expect([file.name, file.type]).toEqual(['card.png', 'image/png']);
    expect(Buffer.from(await file.arrayBuffer()).equals(bytes)).toBe(true);
  });

  const png = 'content-type: image/png';
  it.each([
    ['card.png', 'image/png', 'filename="card.png"', png],
    ['batch 1/card.png', 'image/png', 'filename="batch 1/card.png"', png],
    ['C:\\scans\\card.png', 'image/png', 'filename="C:\\scans\\card.png"', png],
    ['scans\\', 'image/png', 'filename="scans\\"', png],
    ['a%22b.png', 'image/png', 'filename="a\\"b.png"', png],
    [' card.png ', 'image/png', 'filename=" card.png "', png],
    ['card one.png', 'image/png', 'filename=card one.png', png],
    ['€ 1.png', 'image/png', "filename=1.png; filename*=UTF-8''%e2%82%ac%201.png", png],
    ['a.xml', 'Text/XML; charset="GB18030"', 'filename="a.xml"', 'content-type: Text/XML; charset="GB18030"'],
    ['a.png', 'nonsense', 'filename="a.png"', 'content-type: nonsense'],
    ['a.png', undefined, 'filename="a.png"', 'content-transfer-encoding: binary'],
  ])(
    'of the file %j of type %j is sent as that, from a part with %s and %s',
    async (name, type, parameters, header) => {
      await sendForm(operations + map + filePart(parameters, header) + form.end);
      const headers = [`name="files"; filename="${name}"`, ...(type ? [`content-type: ${type}`] : [])];
      expect(service.received[0]?.body.toString()).toContain(`${headers.join('\r\n')}\r\n\r\nabc\r\n`);
    },
  );

  it.each([
    ['a name that is not UTF-8', /encoded in UTF-8/, 'filename="\xe9.png"', png],
    ['a name in another charset', /encoded in UTF-8/, "filename*=GB18030''%c9%ed", png],
    ['two names', /disposition of a part is malformed/, 'filename="a.png"; filename="b.png"', png],
    ['a name without its last quote', /disposition of a part is malformed/, 'filename="a.png', png],
    ['two media types', /content-type more than once/, 'filename="a.png"', `${png}\r\n${png}`],
    ['a media type that is not ASCII', /printable ASCII/, 'filename="a.png"', 'content-type: image/\xe9'],
    ['base64', /transfer encoding/, 'filename="a.png"', 'content-transfer-encoding: base64'],
    ['a name of 16 KiB', /20 headers, of together 16384 bytes/, `filename="${'a'.repeat(16_384)}"`, png],
    ['21 headers', /at most 20 headers/, 'filename="a.png"', `${'a: b\r\n'.repeat(19)}${png}`],
  ])(
    'of a file with %s is refused and not sent in another form',
    async (_what, message, parameters, header) => {
      const body = Buffer.from(operations + map + filePart(parameters, header) + form.end, 'latin1');
      const refusal = { status: 400, message: expect.stringMatching(message) };
      expect(await sendForm(body)).toMatchObject({ ...refusal, extensions: { code: 'BAD_REQUEST' } });
      expect(service.received).toEqual([]);
    },
  );

  it('of exactly the limit is sent', async () => {
    expect((await scanOf(randomBytes(maxUploadBytes))).data.scanIdentityCard.documentId).toBe('7');
  });

  it('over the limit is refused with 413, and the request to the service is aborted', async () => {
    const aborted = service.aborted();
    const headers = { ...alice, 'x-graphql-yoga-csrf': '1', accept: 'application/graphql-response+json' };
    expect(await send({ headers, body: formOf(randomBytes(maxUploadBytes + 1)) })).toMatchObject({
      status: 413,
      path: ['scanIdentityCard'],
      extensions: { code: 'PAYLOAD_TOO_LARGE', bound: 'file', sideEffect: 'NONE', retryable: false },
    });
    await aborted;
  });

  it.each([
    ['was made', does.json(200, { createGroup: { id: 7 } }), { group: { id: '7' }, scanIdentityCard: null }],
    ['may have been made', does.reset, { group: null, scanIdentityCard: null }],
  ])('over the limit behind a group that %s has the status 200', async (_what, made, data) => {
    service.will(made);
    const mutation = scan.replace('{', '{ group: createGroup(input: {}) { ... on Group { id } }');
    const form = upload(mutation, { input }, path, { bytes: randomBytes(maxUploadBytes + 1), name: 'a.png' });
    const { status, errors, data: sent } = await sendUpload(gateway, form);
    expect([status, sent, errors?.at(-1)?.extensions.code]).toEqual([200, data, 'PAYLOAD_TOO_LARGE']);
  });

  it('over the limit is never sent without its end, also if all of it has arrived before it is read', async () => {
    const gateway = forTest(await startTestGateway({ ...environment, MAX_UPLOAD_BYTES: '1024' }));
    const { data, errors } = await sendUpload(gateway, formOf(randomBytes(1_025)));
    expect(data?.scanIdentityCard).toBeNull();
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', sideEffect: 'NONE' });
  });

  it('is aborted at the service when the caller disconnects', async () => {
    const aborted = service.aborted();
    const head = headOf('POST /graphql', { ...alice, ...form.headers, 'content-length': '900000' });
    const begun = head + operations + map + form.file('x'.repeat(300_000));
    const connection = await openConnection(gateway.url, begun);
    await expect.poll(() => service.received[0]?.body.length).toBeGreaterThan(100_000);
    connection.close();
    await aborted;
    expect((await gateway.ask('{ __typename }')).status).toBe(200);
  });

  it('counts as one file until it has ended', async () => {
    const files = async () =>
      Math.round(
        (await metricOf(gateway, 'folio_bound_used_ratio{bound="files"}')) * countBounds(heapSize(), 1).files,
      );
    await expect.poll(files).toBe(0);
    const body = operations + map + file;
    const headers = { ...alice, ...form.headers, 'content-length': String(body.length + form.end.length) };
    const connection = forTest(await openConnection(gateway.url, headOf('POST /graphql', headers) + body));
    await expect.poll(files).toBe(1);
    connection.socket.write(form.end);
    await connection.until(/"documentId":"7"/);
    await expect.poll(files).toBe(0);
  });

  it('without an API key is refused before a byte is sent', async () => {
    const answer = await scanOf('abc', { headers: { authorization: 'Bearer alone' } });
    expect(answer.errors?.[0]).toMatchObject({
      message: `scanIdentityCard requires the header ${credentialHeaders.apiKey}; nothing was sent.`,
      extensions: { code: 'UNAUTHENTICATED', sideEffect: 'NONE' },
    });
    expect(service.received).toEqual([]);
  });
});

describe('a multipart request', () => {
  it.each([
    ['without a map', operations + file, /comes before it/],
    ['with the map before the operations', map + operations + file, /"operations", "map".* in this order/],
    ['with its operations alone', operations, /"map" is missing/],
    ['without its file', operations + map, /"0", which "map" names, is missing/],
    ['with a file that is not in the map', operations + map + form.file('', '1'), /"1" is not named in/],
    ['with a text in place of its file', operations + map + form.part('0', '1'), /"0" is a text: send/],
    ['with an unknown part', operations + form.part('other', '1'), /in this order/],
    ['whose operations are not JSON', form.part('operations', '{') + map + file, /must be valid JSON/],
    [
      'whose operations are in Latin-1',
      form.part('operations', '{}', latin1) + map + file,
      /charset of a text/,
    ],
    ['whose operations are a batch', form.part('operations', '[]') + map + file, /one operation per request/],
    ['whose map is a list', operations + form.part('map', '[]') + file, /one operation|JSON object/],
    ['whose map names two files', operations + form.part('map', '{"0":["a"],"1":["b"]}'), /one file/],
    ['whose map has two paths', operations + mapTo('variables.a', 'variables.b'), /one file/],
    ['with a path to nothing', operations + mapTo('variables.nope'), /whose value is null/],
    ['with a path to a value that is not null', operations + mapTo('variables.input.queueId'), /is null/],
    ['with a path outside variables', operations + mapTo('query'), /is null/],
    ['with a path into a prototype', operations + mapTo('variables.__proto__.x'), /is null/],
    ['with a path to a constructor', operations + mapTo('variables.constructor.x'), /is null/],
    [
      'with an index of four billion, for which no list is allocated,',
      form.part('operations', '{"query":"{ __typename }","variables":{"by":[null]}}') +
        mapTo('variables.by.4294967294') +
        file,
      /is null/,
    ],
  ])('%s is refused with 400', async (_title, body, message) => {
    expect(await sendForm(body + form.end)).toMatchObject({
      status: 400,
      extensions: { code: 'BAD_REQUEST' },
      message: expect.stringMatching(message),
    });
    expect(service.received).toEqual([]);
  });

  const name = 'content-disposition: form-data; name="operations"';
  const behind = (...headers: string[]) =>
    operations.replace(name, [...headers, name].join('\r\n')) + map + file + form.end;
  const unnamed = '--x\r\n\r\n\r\n';
  const withUnnamed = (count: number) => operations + map + file + unnamed.repeat(count) + form.end;
  const withPath = (length: number) => {
    const variable = 'v'.repeat(length - 'variables.'.length);
    const request = { query: '{ __typename }', variables: { [variable]: null } };
    const begin = form.part('operations', JSON.stringify(request)) + mapTo(`variables.${variable}`);
    return begin + file + form.end;
  };
  it.each([
    ['a path of 1,000 characters in its map', withPath(1_000), withPath(1_001)],
    ['four parts', withUnnamed(1), withUnnamed(2)],
    ['20 headers in a part', behind(...Array(19).fill('a: b')), behind(...Array(20).fill('a: b'))],
    ['16 KiB of headers in a part', behind(`a: ${'b'.repeat(16_300)}`), behind(`a: ${'b'.repeat(16_384)}`)],
  ])('may have %s, and not more', async (_what, allowed, tooLarge) => {
    expect(await sendForm(allowed)).toMatchObject({ status: 200, message: undefined });
    expect(await sendForm(tooLarge)).toMatchObject({ status: 400 });
  });

  it('with a second file is refused', async () => {
    const answer = await sendForm(operations + map + file + form.file('abc', '1') + form.end);
    expect(answer).toMatchObject({ extensions: { code: 'BAD_REQUEST' } });
  });

  it.each([
    ['without a boundary', ''],
    ['with a boundary of 253 bytes', `; boundary=${'x'.repeat(253)}`],
  ])('%s is refused', async (_what, boundary) => {
    const headers = { ...form.headers, 'content-type': `multipart/form-data${boundary}` };
    expect(await send({ headers, body: 'x' })).toMatchObject({ status: 400 });
  });

  it('without the CSRF header is refused with 403', async () => {
    const refused = await send({ headers: alice, body: formOf('abc') });
    expect(refused).toMatchObject({ status: 403, extensions: { code: 'BAD_REQUEST' } });
    expect(service.received).toEqual([]);
  });
});

describe('a scan whose request ends without its closing boundary after the file began', () => {
  /** Sends the rest of a truncated request once the service has some of the file, as the `seen`th request with one. */
  async function truncated(headers: Record<string, string>, idempotencyKey?: string, seen = 1) {
    const variables = { input: { ...input, idempotencyKey } };
    const body = form.beforeFile(scan, variables, path) + form.file('x'.repeat(30_100)).slice(0, -2);
    const all = { ...headers, ...form.headers, connection: 'close', 'content-length': String(body.length) };
    const head = headOf('POST /graphql', all);
    const connection = forTest(await openConnection(gateway.url, head + body.slice(0, -100)));
    const withFile = () => service.received.filter(({ body }) => body.includes('xxxx')).length;
    await expect.poll(withFile).toBeGreaterThanOrEqual(seen);
    connection.socket.write(body.slice(-100));
    return resultIn(await connection.closed()).errors[0].extensions;
  }
  const callerError = { code: 'BAD_REQUEST', sideEffect: 'NONE', retryable: false };

  it('that the service refuses before its end by closing the connection leaves the breaker closed', async () => {
    service.will(does.resetBeforeBody);
    const bytes = Buffer.alloc(900_000, 'x');
    for (let index = 0; index < 25; index += 1) {
      const { errors } = await scanOf(bytes, { headers: withKey(`refused-${index}`) });
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'OUTCOME_UNKNOWN', sideEffect: 'POSSIBLE' });
    }
    service.will(does.json(200, { scanDocuments: { docId: 7, status: 'COMPLETED', data: {} } }));
    expect((await scanOf('abc')).data.scanIdentityCard.documentId).toBe('7');
  });

  it('is BAD_REQUEST without side effect, and leaves the breaker closed after 25 of them with invented keys', async () => {
    for (let index = 0; index < 25; index += 1) {
      const headers = withKey(`invented-${index}`);
      expect(await truncated(headers, undefined, index + 1)).toMatchObject(callerError);
    }
    const ready = (await (await fetch(`${gateway.origin}/ready`)).json()) as object;
    expect(JSON.stringify(ready)).not.toContain('breaker open');
    expect((await scanOf('abc')).data.scanIdentityCard.documentId).toBe('7');
  });

  it('is aborted at the service and releases its idempotency key, and a complete scan with the same key is sent', async () => {
    const idempotencyKey = 'truncated-then-whole';
    const aborted = service.aborted();
    expect(await truncated(apiKey, idempotencyKey)).toMatchObject(callerError);
    await aborted;
    const answer = await scanOf('abc', { idempotencyKey, headers: apiKey });
    expect(answer.data.scanIdentityCard.documentId).toBe('7');
  });

  it('is BAD_REQUEST as a repetition too, though it has no digest, and no bug is logged', async () => {
    const idempotencyKey = 'whole-then-truncated';
    await scanOf('abc', { idempotencyKey, headers: apiKey });
    expect(await truncated(apiKey, idempotencyKey, 0)).toMatchObject(callerError);
    expect(service.received).toHaveLength(1);
    expect(gateway.log().filter((line) => line.includes('unforeseen error'))).toEqual([]);
  });
});
