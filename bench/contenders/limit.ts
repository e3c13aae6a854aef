/**
 * LIMIT, the most that Node can do: bare `node:http`, `undici.request` over a Pool, `JSON.parse`, projection
 * onto the asked fields, `JSON.stringify`; no GraphQL, no checks. It knows the workload's operation beforehand.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { Pool } from 'undici';
import { credentialHeaders } from '../../src/caller.ts';
import { groupOf, scanOf, validationOf, type WireExport, type WireScan } from './shapes.ts';

const pool = new Pool(process.env['UPSTREAM_URL'] as string, { connections: 128 });

type Credentials = Record<string, string>;
type Handler = (request: IncomingMessage, credentials: Credentials) => Promise<object>;

const one: Handler = async (request, credentials) => {
  const { variables } = await jsonOf(request);
  return { mexicoValidation: await validation(variables.by.documentId, credentials) };
};

/** A call for each alias: duplicates are not detected. */
const twenty: Handler = async (request, credentials) => {
  const { variables } = await jsonOf(request);
  const ids = Object.values(variables) as string[];
  const data: Record<string, object> = {};
  await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      data[`v${index}`] = await validation(ids[index % 10] as string, credentials);
    }),
  );
  return data;
};

const group: Handler = async (request, credentials) => {
  const { variables } = await jsonOf(request);
  const body = JSON.stringify({ name: variables.input.name });
  return { createGroup: groupOf(await post('/v1/groups', body, credentials)) };
};

const exportCsv: Handler = async (request, credentials) => {
  const { exportDocumentByDocIds } = await exported(request, credentials);
  return { exportDocuments: { csv: exportDocumentByDocIds.data } };
};

const exportRows: Handler = async (request, credentials) => {
  // Loaded by this workload only, so that it does not affect the start and the memory of others.
  const { rowsOf } = await import('./rows.ts');
  const { exportDocumentByDocIds } = await exported(request, credentials);
  return { exportDocuments: { rows: rowsOf(exportDocumentByDocIds.data) } };
};

async function exported(request: IncomingMessage, credentials: Credentials): Promise<WireExport> {
  const { variables } = await jsonOf(request);
  const body = JSON.stringify({ docIds: variables.input.documentIds.map(Number) });
  return await post('/v1/documents/export', body, credentials);
}

/**
 * Forwards the bytes of the file unchanged. Only the parts before the file are parsed and written again. The closing
 * boundary is the caller's.
 */
const scan: Handler = async (request, credentials) => {
  const head = await readUploadHead(request);
  const boundary = head.text.slice(2, head.text.indexOf('\r\n'));
  const queueId = /"queueId":"(\w+)"/.exec(head.text)?.[1];
  const part = (headers: string) => `--${boundary}\r\ncontent-disposition: form-data; ${headers}\r\n\r\n`;
  const newHead = Buffer.from(
    `${part('name="qid"')}${queueId}\r\n${part('name="handwritten"')}[false]\r\n` +
      part('name="files"; filename="card.png"\r\ncontent-type: image/png'),
  );
  request.unshift(Buffer.concat([newHead, head.rest]));
  const length = Number(request.headers['content-length']) - Buffer.byteLength(head.text) + newHead.length;
  const { body } = await pool.request({
    method: 'POST',
    path: '/v1/documents/scan/nric',
    headers: {
      ...credentials,
      'content-type': request.headers['content-type'] as string,
      'content-length': String(length),
    },
    body: request,
  });
  return { scanIdentityCard: scanOf((await body.json()) as WireScan) };
};

/** Everything before the first byte of the file. */
async function readUploadHead(request: IncomingMessage): Promise<{ text: string; rest: Buffer }> {
  let read = Buffer.alloc(0);
  for (;;) {
    const chunk = request.read() as Buffer | null;
    if (chunk === null) {
      await once(request, 'readable');
      continue;
    }
    read = Buffer.concat([read, chunk]);
    const fileAt = read.indexOf('filename=');
    const bodyAt = fileAt === -1 ? -1 : read.indexOf('\r\n\r\n', fileAt);
    if (bodyAt !== -1) return { text: read.toString('utf8', 0, bodyAt + 4), rest: read.subarray(bodyAt + 4) };
  }
}

async function jsonOf(request: IncomingMessage) {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString());
}

async function validation(id: string, headers: Credentials) {
  const { body } = await pool.request({
    method: 'GET',
    path: `/v2/einvoice/mexico/status/${id}`,
    headers,
  });
  return validationOf(JSON.parse(await body.text()));
}

async function post(path: string, body: string, credentials: Credentials) {
  const headers = { ...credentials, 'content-type': 'application/json' };
  const answer = await pool.request({ method: 'POST', path, headers, body });
  return JSON.parse(await answer.body.text());
}

const handlers: Readonly<Record<string, Handler>> = {
  W1: one,
  W2: twenty,
  W3: group,
  W4: scan,
  W5a: exportCsv,
  W5b: exportRows,
  W6: scan,
  W8: one,
  W9: one,
  W10: one,
};

const handle = handlers[process.env['WORKLOAD'] ?? ''] as Handler;

createServer(async (request, response) => {
  const credentials = {
    [credentialHeaders.apiKey]: request.headers[credentialHeaders.apiKey] as string,
    authorization: request.headers.authorization as string,
  };
  try {
    const body = JSON.stringify({ data: await handle(request, credentials) });
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    });
    response.end(body);
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
}).listen(Number(process.env['PORT']), '127.0.0.1');
