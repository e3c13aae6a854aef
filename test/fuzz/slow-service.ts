/** A service between the gateway and the sandbox: its responses come late, in pieces, compressed, large, or not at all. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib';
import { credentialHeaders } from '../../src/caller.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { alice } from '../support/gateway.ts';
import { listen } from '../support/listen.ts';
import type { Random } from '../support/random.ts';

/** Longest pause in a response (ms). */
const longestPauseMs = 400;

/** The default quality of Brotli would take most of the CPU time. */
const brotli = (bytes: Buffer) =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
const compressed = { gzip: gzipSync, br: brotli, zstd: zstdCompressSync };
type Encoding = keyof typeof compressed;

/** The honest caller gets the responses of the sandbox as they are. */
export async function startSlowService(random: Random) {
  const sandbox = await startSandbox({ speed: 50 });
  const server = createServer({ keepAliveTimeout: 60_000 }, (received, response) => {
    const { method, url, headers } = received;
    const forwarded = request(new URL(url ?? '', sandbox.url), { method, headers }, async (reply) => {
      const body = Buffer.concat(await Array.fromAsync(reply));
      if (headers[credentialHeaders.apiKey] === alice[credentialHeaders.apiKey]) {
        response.writeHead(reply.statusCode ?? 500, reply.headers).end(body);
      } else {
        await respondBadly(random, reply, body, response);
      }
    });
    forwarded.on('error', () => response.destroy());
    response.on('close', () => forwarded.destroy());
    received.on('error', () => {}).pipe(forwarded);
  });
  const { url, close } = await listen(server);
  return {
    url,
    async close() {
      await close();
      await sandbox.close();
    },
  };
}

async function respondBadly(
  random: Random,
  { statusCode = 500, headers }: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
): Promise<void> {
  if (random.chance(0.6)) await sleep(random.below(longestPauseMs));
  if (random.chance(0.05)) return void response.socket?.resetAndDestroy();
  // White space may follow JSON.
  const large = Buffer.concat([body, Buffer.alloc(random.pick([0, 0, 100_000, 2_000_000]), ' ')]);
  const encoding = random.pick<Encoding | undefined>([undefined, 'gzip', 'br', 'zstd']);
  const sent = encoding ? compressed[encoding](large) : large;
  const { 'content-length': _length, ...others } = headers;
  response.writeHead(statusCode, { ...others, ...(encoding && { 'content-encoding': encoding }) });
  for (let pieces = random.below(3), at = 0; pieces > 0; pieces -= 1) {
    const length = random.below(sent.length - at);
    response.write(sent.subarray(at, at + length));
    at += length;
    await sleep(random.below(longestPauseMs / 4));
    if (pieces === 1) return void response.end(sent.subarray(at));
  }
  response.end(sent);
}
