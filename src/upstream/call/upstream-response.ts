/** A response of the service, and how its body is decompressed. */
import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib';

export interface UpstreamResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** null: larger than the bound, or impossible to decompress. */
  readonly body: Buffer | null;
}

type Decompress = (data: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

/** By content encoding. A Map: an object would also find members of its prototype by the service's word. */
const decompressors = new Map<string, Decompress>([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
  ['zstd', promisify(zstdDecompress)],
]);

/** Decompresses a body within the bound. The gateway requests no compression, but a proxy may compress anyway. */
export async function decompressed(
  { status, headers, body }: UpstreamResponse,
  maxOutputLength: number,
): Promise<UpstreamResponse> {
  const encoding = String(headers['content-encoding']).toLowerCase();
  if (body === null || body.length === 0 || encoding === 'identity') return { status, headers, body };
  const decompress = decompressors.get(encoding);
  // Decompression fails at the bound (a zip bomb) and at the first broken byte: the body cannot be read.
  const decompressedBody = decompress ? await decompress(body, { maxOutputLength }).catch(() => null) : null;
  return { status, headers, body: decompressedBody };
}
