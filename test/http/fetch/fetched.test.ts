/** What a handler of `Request` objects holds of their bodies, and of its responses. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { describe, expect, it } from 'vitest';
import { bufferedBytes } from '../../../src/http/connection/pipelining.ts';
import { FetchedRequest } from '../../../src/http/fetch/fetched-request.ts';
import { FetchedResponse } from '../../../src/http/fetch/fetched-response.ts';
import { requestBytes } from '../../../src/http/request-head.ts';
import { turnCounter } from '../../support/work.ts';

const turn = () => new Promise(setImmediate);

describe('the body of a request', () => {
  function requestOf(body: ReadableStream<Uint8Array>): FetchedRequest {
    const init = { method: 'POST', body, duplex: 'half' } as RequestInit;
    return new FetchedRequest(new Request('http://folio.test/graphql?a=1', init));
  }

  it.each(['text', '-100000', '5, 5', ''])(
    'counts with 64 KiB while it waits if its length is "%s"',
    (length) => {
      const headers = { 'content-length': length };
      const request = new FetchedRequest(
        new Request('http://folio.test/graphql', { method: 'POST', headers }),
      );
      expect(bufferedBytes(request)).toBe(requestBytes(request) + 65_536);
    },
  );

  it('is read as fast as its reader, and no further', async () => {
    let pulled = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          pulled += 1;
          controller.enqueue(new Uint8Array(64 * 1024));
        },
      },
      { highWaterMark: 0 },
    );
    const request = requestOf(body);
    request.on('data', () => request.pause());
    for (let count = 1; count <= 5; count += 1) {
      request.resume();
      for (let turns = 0; turns < 10; turns += 1) await turn();
      expect(pulled).toBeLessThanOrEqual(count + 2);
    }
    request.destroy();
  });

  it('is passed on in pieces of 64 KiB, with the same bytes', async () => {
    const bytes = randomBytes(300_000);
    const request = requestOf(new Blob([bytes]).stream());
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(64 * 1024);
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
    expect([request.complete, request.url]).toEqual([true, '/graphql?a=1']);
  });

  it('is passed on to a reader who waits for it, however small its chunks are', async () => {
    const sent = [1, 2, 3];
    const body = new TransformStream<Uint8Array>();
    const writer = body.writable.getWriter();
    const request = requestOf(body.readable);
    for (const byte of sent) {
      const received = once(request, 'data');
      await writer.write(Uint8Array.of(byte));
      expect(await received).toEqual([Buffer.of(byte)]);
    }
    request.destroy();
  });

  it('reaches a reader who pauses without the next chunk', async () => {
    const { readable, writable } = new TransformStream<Uint8Array>();
    const writer = writable.getWriter();
    const request = requestOf(readable);
    request.read(0);
    for (const byte of [1, 2, 3]) await writer.write(Uint8Array.of(byte));
    await expect.poll(() => request.readableLength).toBeGreaterThan(0);
    const received: number[] = [];
    request.on('data', (piece) => received.push(...piece));
    await expect.poll(() => received).toEqual([1, 2, 3]);
    request.destroy();
  });

  it('waits for its reader in pieces of at least 1 KiB, however small its chunks are', async () => {
    const bytes = randomBytes(10_000);
    const sizes = [1, 1, 700, 400, 0, 3_000, 2];
    let at = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (at === bytes.length) return controller.close();
        const size = sizes.shift() ?? 1;
        controller.enqueue(new Uint8Array(bytes.subarray(at, at + size)));
        at = Math.min(at + size, bytes.length);
      },
    });
    const request = requestOf(body);
    request.read(0);
    await expect.poll(() => request.complete).toBe(true);
    const pieces: Buffer[] = [];
    request.on('data', (piece) => pieces.push(piece));
    await once(request, 'end');
    expect(Math.min(...pieces.slice(1, -1).map(({ length }) => length))).toBeGreaterThanOrEqual(1_024);
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
  });

  it.each([
    ['an ArrayBuffer', new ArrayBuffer(3)],
    ['a DataView', new DataView(new ArrayBuffer(3))],
    ['a text', 'abc'],
  ])('is cut at a chunk that is %s, and not read without it', async (_what, chunk) => {
    const body = new ReadableStream({
      start(controller) {
        for (const one of [randomBytes(2_000), chunk, randomBytes(5)]) controller.enqueue(one);
        controller.close();
      },
    });
    const request = requestOf(body);
    const closed = new Promise((resolve) => request.on('close', resolve));
    let bytes = 0;
    request.on('data', ({ length }) => (bytes += length));
    await closed;
    expect([bytes, request.readableEnded]).toEqual([2_000, false]);
  });

  it('reaches its reader in few pieces, and leaves time for other work, however many small chunks of it are ready', async () => {
    const chunk = new Uint8Array(1);
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let count = 0; count < 200_000; count += 1) controller.enqueue(chunk);
        controller.close();
      },
    });
    const turns = turnCounter();
    const began = performance.now();
    let [pieces, bytes] = [0, 0];
    for await (const piece of requestOf(body)) {
      pieces += 1;
      bytes += piece.length;
    }
    expect(bytes).toBe(200_000);
    expect(pieces).toBeLessThan(200_000 / 1_024 + (performance.now() - began) / 50 + 3);
    expect(turns()).toBeGreaterThan(5);
  });

  it('is cancelled when it is no longer read', async () => {
    const cancelled = Promise.withResolvers<void>();
    requestOf(new ReadableStream({ cancel: () => cancelled.resolve() })).destroy();
    await cancelled.promise;
  });

  it('that is a form can be dropped while its file is still being read', async () => {
    const rest = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    async function* chunks() {
      try {
        yield new Uint8Array(10);
        await rest.promise;
        yield new Uint8Array(10);
      } finally {
        ended.resolve();
      }
    }
    const file = Object.assign(new File([], 'a.png'), { stream: chunks });
    const body = new FormData();
    body.append('0', file);
    const request = new FetchedRequest(new Request('http://folio.test/graphql', { method: 'POST', body }));
    await once(request, 'readable');
    request.destroy();
    rest.resolve();
    await ended.promise;
    // Node would end the process in this turn.
    await turn();
  });
});

describe('a response', () => {
  const bytes = randomBytes(300_000);

  function begun(body: Uint8Array, request: Pick<Request, 'signal'> = new AbortController()) {
    const progress = new FetchedResponse(request);
    progress.writeHead(400, ['x-a', '1']).end(body);
    return { progress, response: progress.response.promise };
  }

  it('of less than 64 KiB is finished when it is returned', async () => {
    const { progress, response } = begun(bytes.subarray(0, 65_535));
    const { status, headers, body } = await response;
    expect([status, headers.get('x-a'), body === null]).toEqual([400, '1', false]);
    await turn();
    expect(progress).toMatchObject({ closed: true, writableFinished: true, statusCode: 400 });
  });

  it('of more counts as unsent until it has been read', async () => {
    const { progress, response } = begun(bytes);
    expect(progress).toMatchObject({ closed: false, writableLength: bytes.length });
    const reader = ((await response).body as ReadableStream<Uint8Array>).getReader();
    const read = [];
    for (let left = bytes.length; left > 0; left -= 64 * 1024) {
      expect(progress.writableLength).toBe(Math.min(left + 64 * 1024, bytes.length));
      const { value } = await reader.read();
      // What was read must be freed while the rest waits.
      expect(value?.buffer.byteLength).toBe(Math.min(left, 64 * 1024));
      read.push(value as Uint8Array);
    }
    expect(Buffer.concat(read).equals(bytes)).toBe(true);
    expect(await reader.read()).toMatchObject({ done: true });
    await turn();
    expect(progress).toMatchObject({ closed: true, writableFinished: true, writableLength: 0 });
  });

  it('that is cut while it is unread ends with an error', async () => {
    const { progress, response } = begun(bytes);
    progress.destroy();
    await expect((await response).bytes()).rejects.toThrow('The gateway has ended the response.');
    expect(progress).toMatchObject({ closed: true, writableFinished: false });
  });

  it('ends with the reason of the signal when that aborts', async () => {
    const controller = new AbortController();
    const { response } = begun(bytes, controller);
    controller.abort();
    await expect((await response).bytes()).rejects.toThrow(controller.signal.reason);
  });

  it('whose body fails is over', async () => {
    const progress = new FetchedResponse(new AbortController());
    const failing = new ReadableStream({
      pull() {
        throw new Error('A fault of the gateway.');
      },
    });
    await expect(pipeline(failing, progress as Writable)).rejects.toThrow('A fault of the gateway.');
    await expect(progress.response.promise).rejects.toThrow('A fault of the gateway.');
    expect(progress).toMatchObject({ closed: true, writableFinished: false });
  });
});
