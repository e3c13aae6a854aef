import { randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  alice,
  sendUpload,
  startTestGateway,
  startTestHandler,
  type TestGateway,
  type TestHandler,
  upload,
} from '../support/gateway.ts';
import * as does from '../support/service.ts';

let service: does.TestService;
let gateway: TestGateway;
let handler: TestHandler;
const maxUploadBytes = 1_000_000;
const scanned = does.json(200, { scanDocuments: { docId: 7, status: 'COMPLETED', data: {} } });

beforeAll(async () => {
  service = await does.startService(scanned);
  const environment = { UPSTREAM_URL: service.url, MAX_UPLOAD_BYTES: String(maxUploadBytes) };
  gateway = await startTestGateway(environment);
  handler = await startTestHandler(environment);
});
afterAll(async () => {
  await gateway.close();
  await handler.close();
  await service.close();
});
beforeEach(() => {
  service.will(scanned);
  service.received.length = 0;
});

const scan = `mutation ($input: ScanIdentityCardInput!) {
  scanIdentityCard(input: $input) { ... on ScanResult { documentId } ... on InvalidInput { message } }
}`;
const input = { file: null, queueId: 'q-1', handwritten: true };

function scanOf(bytes: Uint8Array | string, name = 'card.png') {
  return sendUpload(gateway, upload(scan, { input }, 'variables.input.file', { bytes, name }));
}

/** The parts of the multipart body that the service received. */
async function parts(): Promise<FormData> {
  const { headers, body } = service.received[0] as does.Received;
  return await new Response(new Uint8Array(body), {
    headers: { 'content-type': headers['content-type'] as string },
  }).formData();
}

/** Sends a multipart body as it is, so that it can be invalid, to the server and to the handler of `Request` objects. */
async function send(
  body: string,
  boundary = 'x',
): Promise<{ status: number; code: string; message: string }> {
  const init = {
    method: 'POST',
    headers: {
      ...alice,
      'x-graphql-yoga-csrf': '1',
      'content-type': `multipart/form-data; boundary=${boundary}`,
    },
    body,
  };
  const refusals = [];
  for (const response of [await fetch(gateway.url, init), await handler.fetch('/graphql', init)]) {
    const { errors } = (await response.json()) as any;
    refusals.push({ status: response.status, code: errors[0].extensions.code, message: errors[0].message });
  }
  const [refusal, ofHandler] = refusals;
  expect(ofHandler).toEqual(refusal);
  return refusal as { status: number; code: string; message: string };
}

const part = (name: string, value: string) =>
  `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const filePart = (name: string, value = 'abc') =>
  `--x\r\ncontent-disposition: form-data; name="${name}"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n${value}\r\n`;
const end = '--x--\r\n';
const operations = part('operations', JSON.stringify({ query: scan, variables: { input } }));
const map = part('map', '{"0":["variables.input.file"]}');

describe('a scan', () => {
  it('reaches the service with its bytes, its queue and its flag', async () => {
    const bytes = randomBytes(500_000);
    expect(await scanOf(bytes)).toMatchObject({
      status: 200,
      data: { scanIdentityCard: { documentId: '7' } },
    });
    const form = await parts();
    expect([...form.keys()]).toEqual(['qid', 'handwritten', 'files']);
    expect(form.get('qid')).toBe('q-1');
    expect(form.get('handwritten')).toBe('[true]');
    const file = form.get('files') as File;
    expect([file.name, file.type]).toEqual(['card.png', 'image/png']);
    expect(Buffer.from(await file.arrayBuffer()).equals(bytes)).toBe(true);
  });

  it.each(['a "quoted" name.png', 'line\r\nbreak: x.png', '身份证 Ä.png', 'a;b=c.png'])(
    'keeps the file name %j, which cannot end its header',
    async (name) => {
      await scanOf('abc', name);
      const file = (await parts()).get('files') as File;
      expect(file.name).toBe(name);
    },
  );

  it('over the limit is refused with 413, and the request to the service is aborted', async () => {
    const aborted = service.aborted();
    const answer = await scanOf(randomBytes(maxUploadBytes + 1));
    expect(answer.status).toBe(413);
    expect(answer.errors?.[0]).toMatchObject({
      path: ['scanIdentityCard'],
      extensions: { code: 'PAYLOAD_TOO_LARGE', sideEffect: 'NONE', retryable: false },
    });
    await aborted;
  });

  it('of exactly the limit is sent', async () => {
    expect((await scanOf(randomBytes(maxUploadBytes))).data.scanIdentityCard.documentId).toBe('7');
  });

  it('is aborted at the service when the caller disconnects', async () => {
    const aborted = service.aborted();
    const request = httpRequest(gateway.url, {
      method: 'POST',
      headers: { ...alice, 'x-graphql-yoga-csrf': '1', 'content-type': 'multipart/form-data; boundary=x' },
    });
    request.on('error', () => {});
    request.write(operations + map + filePart('0', 'x'.repeat(300_000)).slice(0, -2));
    await vi.waitUntil(() => (service.received[0]?.body.length ?? 0) > 100_000);
    request.destroy();
    await aborted;
    expect((await gateway.ask('{ __typename }')).status).toBe(200);
  });

  it('gets its response immediately when the service refuses it half-way', async () => {
    service.will(does.jsonEarly(413, {}));
    const answer = await scanOf(randomBytes(900_000));
    expect(answer.errors?.[0]).toMatchObject({
      extensions: { code: 'PAYLOAD_TOO_LARGE', sideEffect: 'NONE' },
    });
  });

  it('is not sent when its operation is invalid', async () => {
    const form = upload('mutation ($file: Upload!) { nope(file: $file) }', { file: null }, 'variables.file', {
      bytes: randomBytes(900_000),
      name: 'a.png',
    });
    const answer = await sendUpload(gateway, form);
    expect(answer.errors?.[0]?.extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
    expect(service.received).toEqual([]);
  });

  it('without an API key is refused before a byte is sent', async () => {
    const form = upload(scan, { input }, 'variables.input.file', { bytes: 'abc', name: 'a.png' });
    const answer = await sendUpload(gateway, form, { authorization: 'Bearer alone' });
    expect(answer.errors?.[0]).toMatchObject({
      message: 'scanIdentityCard requires the header x-api-key; nothing was sent.',
      extensions: { code: 'UNAUTHENTICATED', sideEffect: 'NONE' },
    });
    expect(service.received).toEqual([]);
  });
});

describe('a multipart request', () => {
  it.each([
    ['without a map', operations + filePart('0') + end, /comes before it/],
    [
      'with the map before the operations',
      map + operations + filePart('0') + end,
      /"operations", "map".* in this order/,
    ],
    ['without its file', operations + map + end, /"0", which "map" names, is missing/],
    [
      'with a file that the map does not name',
      operations + map + filePart('1') + end,
      /"1" is not named in "map"/,
    ],
    ['with an unknown part', operations + part('other', '1') + end, /in this order/],
    [
      'whose operations are not JSON',
      part('operations', '{') + map + filePart('0') + end,
      /must be valid JSON/,
    ],
    [
      'whose operations are a batch',
      part('operations', '[]') + map + filePart('0') + end,
      /one operation per request/,
    ],
    [
      'whose map is a list',
      operations + part('map', '[]') + filePart('0') + end,
      /one operation|JSON object/,
    ],
    [
      'whose map names two files',
      operations + part('map', '{"0":["variables.a"],"1":["variables.b"]}') + end,
      /one file/,
    ],
    [
      'whose map has two paths',
      operations + part('map', '{"0":["variables.a","variables.b"]}') + end,
      /one file/,
    ],
    [
      'with a path to nothing',
      operations + part('map', '{"0":["variables.nope"]}') + end,
      /whose value is null/,
    ],
    [
      'with a path to a value that is not null',
      operations + part('map', '{"0":["variables.input.queueId"]}') + end,
      /is null/,
    ],
    ['with a path outside variables', operations + part('map', '{"0":["query"]}') + end, /is null/],
    [
      'with a path into a prototype',
      operations + part('map', '{"0":["variables.__proto__.x"]}') + end,
      /is null/,
    ],
    [
      'with a path to a constructor',
      operations + part('map', '{"0":["variables.constructor.x"]}') + end,
      /is null/,
    ],
  ])('%s is refused with 400', async (_title, body, message) => {
    expect(await send(body)).toMatchObject({
      status: 400,
      code: 'BAD_REQUEST',
      message: expect.stringMatching(message),
    });
    expect(service.received).toEqual([]);
  });

  it('with an index of four billion in its path is refused without allocating a list', async () => {
    const operation = JSON.stringify({ query: '{ __typename }', variables: { by: [null] } });
    const body =
      part('operations', operation) + part('map', '{"0":["variables.by.4294967294"]}') + filePart('0') + end;
    expect(await send(body)).toMatchObject({ status: 400 });
  });

  it('that ends before its closing boundary is BAD_REQUEST, and the request to the service is aborted', async () => {
    const aborted = service.aborted();
    const answer = await send(operations + map + filePart('0'));
    expect(answer).toMatchObject({ code: 'BAD_REQUEST' });
    await aborted;
  });

  it('with a second file is refused', async () => {
    const answer = await send(operations + map + filePart('0') + filePart('1') + end);
    expect(answer).toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('without a boundary is refused', async () => {
    const response = await fetch(gateway.url, {
      method: 'POST',
      headers: { 'x-graphql-yoga-csrf': '1', 'content-type': 'multipart/form-data' },
      body: 'x',
    });
    expect(response.status).toBe(400);
  });

  it('without the CSRF header is refused with 403', async () => {
    const form = upload(scan, { input }, 'variables.input.file', { bytes: 'abc', name: 'a.png' });
    const response = await fetch(gateway.url, { method: 'POST', headers: alice, body: form });
    expect(response.status).toBe(403);
    expect(((await response.json()) as any).errors[0].extensions.code).toBe('BAD_REQUEST');
    expect(service.received).toEqual([]);
  });

  it.each([10, 200, 400, 700, 1_000])(
    'that ends after %i bytes leaves the gateway able to serve others',
    async (length) => {
      const body = operations + map + filePart('0', 'x'.repeat(2_000)) + end;
      const { port, hostname } = new URL(gateway.url);
      const head = `POST /graphql HTTP/1.1\r\nhost: a\r\nx-graphql-yoga-csrf: 1\r\nx-api-key: k\r\ncontent-type: multipart/form-data; boundary=x\r\ncontent-length: ${body.length}\r\n\r\n`;
      const socket = connect(Number(port), hostname);
      await new Promise<void>((resolve) => socket.end(head + body.slice(0, length), resolve));
      socket.destroy();
      expect((await gateway.ask('{ __typename }')).status).toBe(200);
    },
  );
});

describe('a scan whose request ends without its closing boundary after the file began', () => {
  /** Sends the rest of a truncated request once the service has some of the file. */
  async function truncated(key: string, idempotencyKey?: string, seen = 1) {
    const variables = { input: { ...input, ...(idempotencyKey && { idempotencyKey }) } };
    const answer = Promise.withResolvers<any>();
    const request = httpRequest(
      gateway.url,
      {
        method: 'POST',
        headers: {
          'x-api-key': key,
          'x-graphql-yoga-csrf': '1',
          'content-type': 'multipart/form-data; boundary=x',
        },
      },
      (response) => void json(response).then(answer.resolve, answer.reject),
    );
    request.on('error', answer.reject);
    const file = filePart('0', 'x'.repeat(30_000)).slice(0, -2);
    request.write(part('operations', JSON.stringify({ query: scan, variables })) + map + file);
    const fileArrived = () => service.received.filter(({ body }) => body.includes('xxxx')).length >= seen;
    if (seen > 0) await vi.waitUntil(fileArrived, { timeout: 5_000 });
    request.end('x'.repeat(100));
    return (await answer.promise).errors[0].extensions;
  }
  const callerError = { code: 'BAD_REQUEST', sideEffect: 'NONE', retryable: false };

  it('is BAD_REQUEST without side effect, and the request at the service is aborted', async () => {
    const aborted = service.aborted();
    expect(await truncated('invented')).toMatchObject(callerError);
    await aborted;
  });

  it('that the service refuses before its end by closing the connection leaves the breaker closed', async () => {
    service.will(does.resetBeforeBody);
    const bytes = Buffer.alloc(900_000, 'x');
    for (let index = 0; index < 25; index += 1) {
      const form = upload(scan, { input }, 'variables.input.file', { bytes, name: 'a.png' });
      const { errors } = await sendUpload(gateway, form, { 'x-api-key': `refused-${index}` });
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'OUTCOME_UNKNOWN', sideEffect: 'POSSIBLE' });
    }
    service.will(does.json(200, { scanDocuments: { docId: 7, status: 'COMPLETED', data: {} } }));
    expect((await scanOf('abc')).data.scanIdentityCard.documentId).toBe('7');
  }, 30_000);

  it('leaves the breaker closed after 25 of them with invented keys', async () => {
    for (let index = 0; index < 25; index += 1) {
      expect(await truncated(`invented-${index}`, undefined, index + 1)).toMatchObject(callerError);
    }
    const ready = (await (await fetch(`${gateway.origin}/ready`)).json()) as object;
    expect(JSON.stringify(ready)).not.toContain('breaker open');
    expect((await scanOf('abc')).data.scanIdentityCard.documentId).toBe('7');
  }, 30_000);

  it('releases its idempotency key, and a complete scan with the same key is sent', async () => {
    const idempotencyKey = 'truncated-then-whole';
    expect(await truncated(alice['x-api-key'], idempotencyKey)).toMatchObject(callerError);
    const form = upload(scan, { input: { ...input, idempotencyKey } }, 'variables.input.file', {
      bytes: 'abc',
      name: 'a.png',
    });
    const answer = await sendUpload(gateway, form, { 'x-api-key': alice['x-api-key'] });
    expect(answer.data.scanIdentityCard.documentId).toBe('7');
  });

  it('is BAD_REQUEST as a repetition too, though it has no digest, and no bug is logged', async () => {
    const idempotencyKey = 'whole-then-truncated';
    const form = upload(scan, { input: { ...input, idempotencyKey } }, 'variables.input.file', {
      bytes: 'abc',
      name: 'a.png',
    });
    await sendUpload(gateway, form, { 'x-api-key': alice['x-api-key'] });
    expect(await truncated(alice['x-api-key'], idempotencyKey, 0)).toMatchObject(callerError);
    expect(service.received).toHaveLength(1);
    expect(gateway.log().filter((line) => line.includes('unforeseen error'))).toEqual([]);
  });
});
