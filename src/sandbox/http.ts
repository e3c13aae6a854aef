/** HTTP helpers of the endpoints: responses as values, request bodies read within bounds. */
import { createHash } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function json(status: number, value: unknown, headers: Reply['headers'] = {}): Reply {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify(value),
  };
}

/** An error response. The service does not state the shape of its errors (docs/service.md, "States"); this one is common. */
export function problem(status: number, message: string, headers: Reply['headers'] = {}): Reply {
  const error = STATUS_CODES[status] ?? 'Unknown';
  return json(status, { statusCode: status, message, error }, headers);
}

/** Thrown by an endpoint to send an error response. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly reply: Reply;

  constructor(status: number, message: string, headers?: Reply['headers']) {
    super(message);
    this.reply = problem(status, message, headers);
  }
}

export function send(response: ServerResponse, { status, headers, body }: Reply): void {
  if (response.destroyed) return;
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  // Node adds the length, and leaves out the body of a 204 and a 304.
  response.end(body);
}

interface ReadBody {
  readonly bytes: number;
  readonly sha256: string;
  readonly content: Buffer;
}

/** Largest body that is held in memory. */
const maxBodyBytes = 8 * 1024 * 1024;

/** Reads the body into memory. A body over 8 MiB is 413 immediately, and its rest is discarded. */
export function readBody(request: IncomingMessage): Promise<ReadBody> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const hash = createHash('sha256');
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      hash.update(chunk);
      if (bytes <= maxBodyBytes) {
        chunks.push(chunk);
        return;
      }
      chunks.length = 0;
      reject(new HttpError(413, `The body is larger than ${maxBodyBytes} bytes.`));
    });
    request.once('end', () => resolve({ bytes, sha256: hash.digest('hex'), content: Buffer.concat(chunks) }));
    request.once('error', reject);
  });
}

/** The media type without its parameters, in lower case. */
export function mediaType(request: IncomingMessage): string {
  return (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

export function requireMediaType(request: IncomingMessage, expected: string): void {
  if (mediaType(request) !== expected) throw new HttpError(415, `The content type must be ${expected}.`);
}

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

export function decodeUtf8(content: Buffer): string {
  try {
    return utf8.decode(content);
  } catch {
    throw new HttpError(400, 'The body is not valid UTF-8.');
  }
}

export function parseJsonObject(content: Buffer): JsonObject {
  const text = decodeUtf8(content);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new HttpError(400, 'The body is not valid JSON.');
  }
  if (!isObject(value)) throw new HttpError(400, 'The body must be a JSON object.');
  return value;
}
