/**
 * The ways in which the service can misbehave. A fault that refuses answers instead of the work: nothing is
 * done. Any other lets the work be done and spoils or loses the answer.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import {
  cutShort,
  graphqlError,
  gzipped,
  html,
  tooMany,
  withExtraMembers,
  withInternalHeaders,
  withMistypedMembers,
  withUnknownWords,
} from './fault-answers.ts';
import { json, measureBody, problem, type Reply } from './http.ts';

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Aborted when the connection is gone; timers end with it. */
  readonly gone: AbortSignal;
  /** Does the call's work, and returns what it answers. */
  work(): Promise<Reply>;
  send(reply: Reply): void;
  /** Sends status and headers alone; the fault writes the body, or does not. */
  begin(status: number, headers: Reply['headers']): void;
}

export type Fault = (exchange: Exchange) => Promise<void> | void;

export const faultNames = [
  ...['status-NNN', 'early-NNN', 'html-NNN', 'malformed-json', 'empty', 'null', 'array', 'empty-object'],
  ...['reset', 'reset-in-headers', 'reset-after-headers', 'close-after', 'truncate', 'hang', 'slow-NNNN'],
  ...['trickle', 'endless', 'gzip-bomb', 'broken-gzip', 'retry-after-N', 'retry-after-date'],
  ...['retry-after-junk', 'unavailable-after-N', 'redirect', 'graphql-error-CODE', 'extra-members'],
  ...['mistyped-members', 'unknown-words', 'cookies'],
];

export function faultNamed(name: string): Fault | undefined {
  const simple = Object.hasOwn(simpleFaults, name) ? simpleFaults[name] : undefined;
  if (simple !== undefined) return simple;
  for (const [pattern, fault] of parametricFaults) {
    const parameter = pattern.exec(name)?.[1];
    if (parameter !== undefined) return fault(parameter);
  }
  return undefined;
}

const httpStatus = '([2-5]\\d\\d)';

const parametricFaults: readonly (readonly [RegExp, (parameter: string) => Fault])[] = [
  [
    new RegExp(`^status-${httpStatus}$`),
    (code) => refusing(() => problem(Number(code), 'A fault was asked for.')),
  ],
  // Told before the request was read, while its body may still be on its way.
  [
    new RegExp(`^early-${httpStatus}$`),
    (code) =>
      ({ send }) =>
        send(problem(Number(code), 'A fault was asked for.')),
  ],
  [
    new RegExp(`^html-${httpStatus}$`),
    (code) => (code < '300' ? spoiling : refusing)(() => html(Number(code))),
  ],
  [/^slow-(\d{1,6})$/, slow],
  [/^retry-after-(\d{1,12}|junk|date)$/, (after) => refusing(() => tooMany(after))],
  [
    /^unavailable-after-(\d{1,12})$/,
    (after) => refusing(() => problem(503, 'Not available.', { 'retry-after': after })),
  ],
  [/^graphql-error-([A-Z_]{1,64})$/, (code) => refusing(() => graphqlError(code))],
];

const simpleFaults: Readonly<Record<string, Fault>> = {
  'malformed-json': spoiling(cutShort),
  empty: spoiling((reply) => ({ ...reply, body: '' })),
  null: spoiling(() => json(200, null)),
  array: spoiling(() => json(200, [])),
  'empty-object': spoiling(() => json(200, {})),
  'extra-members': spoiling(withExtraMembers),
  'mistyped-members': spoiling(withMistypedMembers),
  'unknown-words': spoiling(withUnknownWords),
  cookies: spoiling(withInternalHeaders),
  'gzip-bomb': spoiling(() => gzipped(bomb())),
  'broken-gzip': spoiling(({ body }) => gzipped(gzipSync(body).fill(0, 12))),
  redirect: async (exchange) => {
    await measureBody(exchange.request);
    // Another host by name, the sandbox by address: a client that follows is found in `GET /sandbox/calls`.
    const location = `http://localhost:${exchange.request.socket.localPort}/redirected`;
    exchange.send(problem(302, 'Look elsewhere.', { location }));
  },
  hang: async ({ work }) => {
    await work();
  },
  reset: async ({ work, response }) => {
    await work();
    response.socket?.resetAndDestroy();
  },
  'reset-in-headers': async ({ work, response }) => {
    await work();
    response.socket?.write('HTTP/1.1 200 OK\r\ncontent-ty', () => response.destroy());
  },
  'reset-after-headers': async ({ work, response, begin }) => {
    const { status, headers, body } = await work();
    begin(status, { ...headers, 'content-length': String(Buffer.byteLength(body)) });
    response.write(Buffer.from(body).subarray(0, 1), () => response.destroy());
  },
  'close-after': async ({ work, response, send }) => {
    const reply = await work();
    const { socket } = response;
    // Keep-alive was promised: the client may take the connection for its next request as it closes.
    response.once('finish', () => socket?.destroySoon());
    send(reply);
  },
  truncate: async ({ work, response, begin }) => {
    const { status, headers, body } = await work();
    const longer = String(Buffer.byteLength(body) + 64);
    begin(status, { ...headers, 'content-length': longer, connection: 'close' });
    response.end(body);
  },
  trickle: async ({ work, response, begin, gone }) => {
    const { status, headers, body } = await work();
    begin(status, headers);
    for (const byte of Buffer.from(body)) {
      response.write(Uint8Array.of(byte));
      await wait(trickleMs, undefined, { signal: gone });
    }
    response.end();
  },
  endless: async ({ work, response, begin }) => {
    const { status, headers } = await work();
    begin(status, headers);
    await pipeline(Readable.from(blanks()), response);
  },
};

const trickleMs = 200;

function refusing(reply: () => Reply): Fault {
  return async ({ request, send }) => {
    await measureBody(request);
    send(reply());
  };
}

function spoiling(spoil: (reply: Reply) => Reply): Fault {
  return async ({ work, send }) => send(spoil(await work()));
}

function slow(ms: string): Fault {
  return async ({ work, send, gone }) => {
    const reply = await work();
    await wait(Number(ms), undefined, { signal: gone });
    send(reply);
  };
}

function* blanks(): Generator<Buffer> {
  const blank = Buffer.alloc(64 * 1024, ' ');
  for (;;) yield blank;
}

/** 64 MiB after decompression: gzip members may follow one another (RFC 1952, section 2.2). */
function bomb(): Buffer {
  const member = gzipSync(Buffer.alloc(1024 * 1024, ' '));
  return Buffer.concat(Array.from({ length: 64 }, () => member));
}
