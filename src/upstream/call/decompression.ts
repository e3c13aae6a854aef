/** A response of the service, and how its body is read: without content encodings, in UTF-8. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Transform } from 'node:stream';
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
  constants as zlib,
} from 'node:zlib';
import { ByteCollector, freeNow } from '../../tools/byte-collector.ts';
import { declaredCharset, inUtf8 } from './charset.ts';
import type { ResponseBody } from './response-body.ts';

export interface UpstreamResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** null: larger than the bound, or impossible to decompress. */
  readonly body: Buffer | null;
}

/** What bounds the memory of a body while it is decompressed. */
export type BodyMemory = Pick<ResponseBody, 'holdInTurn' | 'inTurn'>;

const options = { chunkSize: 64 * 1_024 };

/** By content encoding. A Map: an object would also find members of its prototype by the service's word. */
const decompressors = new Map<string, (data: Buffer) => Transform>([
  ['gzip', () => createGunzip(options)],
  ['x-gzip', () => createGunzip(options)],
  // RFC 9110, section 8.4.1.2: some send the compressed data without the zlib header.
  ['deflate', (data) => (hasZlibHeader(data) ? createInflate(options) : createInflateRaw(options))],
  ['br', () => createBrotliDecompress(options)],
  // RFC 9659: no HTTP response needs a window of more than 8 MiB. Node's default is 128 MiB.
  ['zstd', () => createZstdDecompress({ ...options, params: { [zlib.ZSTD_d_windowLogMax]: 23 } })],
]);

/** Encodings whose decompressor has a window of up to 16 MiB (brotli) or 8 MiB (zstd), which can be in use before its first byte. No budget counts it. */
const wideEncodings = ['br', 'zstd'];

/** Most encodings of one body, each around the one before. */
const maxEncodings = 4;

/** Whether `readable` has to read the body. */
export function isEncoded(headers: IncomingHttpHeaders): boolean {
  return headers['content-encoding'] !== undefined || declaredCharset(headers) !== undefined;
}

/**
 * The response with its body decompressed and in UTF-8, within the bound. The gateway requests no compression, but a
 * proxy may compress anyway.
 */
export async function readable(
  { status, headers, body }: UpstreamResponse,
  maxBytes: number,
  memory: BodyMemory,
): Promise<UpstreamResponse> {
  const plain = body && (await decompressed(body, headers, maxBytes, memory));
  const converted = plain && inUtf8(plain, headers);
  if (!converted) return { status, headers, body: plain };
  const text = await outputOf(converted, maxBytes, (bytes) => memory.holdInTurn(plain.length + bytes));
  freeNow(plain);
  return { status, headers, body: text };
}

/** null when the data is broken or too large. */
async function decompressed(
  body: Buffer,
  headers: IncomingHttpHeaders,
  maxBytes: number,
  memory: BodyMemory,
): Promise<Buffer | null> {
  const encodings = String(headers['content-encoding'] ?? '')
    .split(',')
    .map((encoding) => encoding.trim().toLowerCase())
    .filter((encoding) => encoding !== '' && encoding !== 'identity');
  if (body.length === 0) return body;
  if (encodings.length > maxEncodings) return null;
  let data = body;
  // The last one was applied last (RFC 9110, section 8.4).
  for (const encoding of encodings.reverse()) {
    const create = decompressors.get(encoding);
    // Some send a charset, or "none", as an encoding. What an unknown one did encode is not JSON, and so unreadable.
    if (!create) continue;
    const input = data;
    const hold = (bytes: number) => memory.holdInTurn(input.length + bytes);
    const output = () => outputOf(create(input).end(input) as AsyncIterable<Buffer>, maxBytes, hold);
    const plain = await (wideEncodings.includes(encoding) ? memory.inTurn(output) : output());
    if (!plain) return null;
    freeNow(input);
    data = plain;
  }
  return data;
}

/** null at the bound (a zip bomb), at the first broken byte, and when `hold` resolves with false. */
async function outputOf(
  stream: AsyncIterable<Buffer>,
  maxBytes: number,
  hold: BodyMemory['holdInTurn'],
): Promise<Buffer | null> {
  const output = new ByteCollector();
  try {
    for await (const chunk of stream) {
      if (output.length + chunk.length > maxBytes) return null;
      output.push(chunk);
      if (!(await hold(output.held))) return null;
    }
    return output.take();
  } catch {
    return null;
  } finally {
    output.clear();
  }
}

/** RFC 1950, section 2.2: the method and the check of the first two bytes. */
function hasZlibHeader(data: Buffer): boolean {
  return data.length > 1 && ((data[0] as number) & 0x0f) === 8 && data.readUInt16BE() % 31 === 0;
}
