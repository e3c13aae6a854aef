/** Bodies in many small chunks: the time and memory that they take from other requests. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, request } from 'node:http';
import { Socket } from 'node:net';
import { Writable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { expect, it, vi } from 'vitest';
import { nobody } from '../../src/caller.ts';
import { PacedRequest } from '../../src/http/connection/paced-request.ts';
import { fc } from '../support/fast-check.ts';
import { heapBytes } from '../support/heap.ts';
import { forTest } from '../support/lifetimes.ts';
import { listen } from '../support/listen.ts';
import { type Connection, headOf, openConnection } from '../support/raw-http.ts';
import { holder } from '../support/shares.ts';
import { pass, turnCounter, turnCounts, workInEachTurn } from '../support/work.ts';

const chunked = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
const blanks = (count: number) => '1\r\n \r\n'.repeat(count);

/** Starts a server for the running test and returns its address. */
async function listening(Request: typeof IncomingMessage, onRequest: RequestListener): Promise<string> {
  return forTest(await listen(createServer({ IncomingMessage: Request }, onRequest))).url;
}

/** Requests that call the function when they are continued in a later turn. */
function requestsContinuedWith(onContinue: () => void): typeof PacedRequest {
  return class extends PacedRequest {
    override continue(): void {
      onContinue();
      super.continue();
    }
  };
}

/** Requests that call the function for each chunk of a body, and for its end. */
function requestsWith(onChunk: () => void): typeof PacedRequest {
  return class extends PacedRequest {
    override push(chunk: Buffer | null): boolean {
      onChunk();
      return super.push(chunk);
    }
  };
}

/** As `listening`: responds with 102 to the head of a request, and with 200 to its end. Calls the function for each chunk of a body. */
const reading = (onChunk: (request: IncomingMessage) => void, Request = PacedRequest) =>
  listening(Request, (incoming, response) => {
    incoming.on('data', () => onChunk(incoming)).once('end', () => response.end('read'));
    response.writeProcessing();
  });

const readAll: RequestListener = (incoming, response) =>
  void incoming.resume().once('end', () => response.end('read'));

/** Connections with a request for each path. They have arrived: the server has responded with 102. Their bodies are not sent yet. */
async function begun(url: string, paths: readonly string[], bodyBytes = 8): Promise<Connection[]> {
  const headers = { 'content-length': String(bodyBytes), connection: 'close' };
  const connections = await Promise.all(
    paths.map((path) => openConnection(url, headOf(`POST ${path}`, headers))),
  );
  await Promise.all(connections.map(({ until }) => until(/102 Processing/)));
  return connections;
}

/** Sends the body on each connection, all at once, and waits for the responses. */
async function sendBodies(connections: readonly Connection[], body = 'one two '): Promise<void> {
  for (const { socket } of connections) socket.write(body);
  for (const { closed } of connections) expect(await closed()).toContain('200 OK');
}

it('a turn of the event loop reads at most 64 KiB of a body in chunks of one byte', async () => {
  const chunks = turnCounts();
  const url = await listening(requestsWith(chunks.count), readAll);
  const head = headOf('POST /graphql', { ...chunked, connection: 'close' });
  const { closed } = await openConnection(url, `${head}${blanks(40_000)}0\r\n\r\n`);
  expect(await closed()).toMatch(/^HTTP\/1\.1 200 /);
  expect(chunks.mostOfTurn()).toBeLessThanOrEqual(65_536 / 6 + 1);
});

it('a turn of the event loop reads at most 128 KiB of a body in such chunks behind a response that was sent', async () => {
  let socket: Socket | undefined;
  const url = await listening(PacedRequest, (incoming, response) => {
    socket = incoming.socket;
    response.end();
  });
  const { until, closed, socket: client } = await openConnection(url, headOf('POST /', chunked));
  await until(/200 OK/);
  const last = headOf('GET /', { connection: 'close' });
  client.write(`${blanks(70_000)}0\r\n\r\n${last}`);
  let most = 0;
  let before = socket?.bytesRead ?? 0;
  while (!socket?.destroyed) {
    await new Promise(setImmediate);
    const { bytesRead = 0 } = socket ?? {};
    most = Math.max(most, bytesRead - before);
    before = bytesRead;
  }
  expect(await closed()).toMatch(/close/);
  expect(most).toBeLessThanOrEqual(131_072);
});

it('a turn of the event loop closes connections while many have chunks of one byte', async () => {
  let chunks = 0;
  const CountedRequest = requestsWith(() => (chunks += 1));
  const url = await listening(CountedRequest, (incoming, response) => {
    // Those that are closed have no text.
    text(incoming)
      .then((body) => response.end(body))
      .catch(() => {});
  });
  const connections = await Promise.all(
    Array.from({ length: 30 }, () => openConnection(url, headOf('GET /'))),
  );
  await Promise.all(connections.map(({ until }) => until(/200 OK/)));
  chunks = 0;
  for (const { socket } of connections) socket.write(headOf('POST /', chunked) + blanks(10_000));
  // The server reads them all in one turn.
  while (chunks === 0) await new Promise(setImmediate);
  expect(chunks).toBeLessThan(60_000);
  for (const { close } of connections) close();
  // Their parsers serve other connections.
  const bodies = Array.from({ length: 60 }, (_, index) => `${index} ${'x'.repeat(index)}`);
  const read = bodies.map(async (body) => (await fetch(url, { method: 'POST', body })).text());
  expect(await Promise.all(read)).toEqual(bodies);
});

it('small chunks of requests whose connections have closed are not delivered, so that others do not wait for them', async () => {
  const requests = new Set<PacedRequest>();
  let delivered = 0;
  class CountedRequest extends PacedRequest {
    override deliver(): number {
      const chunks = super.deliver();
      if (this.destroyed) delivered += chunks;
      return chunks;
    }
  }
  const url = await listening(CountedRequest, (incoming) => {
    requests.add((incoming as PacedRequest).on('data', () => {}));
  });
  const sent = headOf('POST /', chunked) + blanks(1_200);
  const connections = await Promise.all(Array.from({ length: 20 }, () => openConnection(url, sent)));
  await expect.poll(() => requests.size).toBe(20);
  for (const { socket } of requests) socket.destroy();
  for (const { closed } of connections) await closed();
  const next = await openConnection(url, sent);
  await expect.poll(() => requests.size).toBe(21);
  next.close();
  expect(delivered).toBe(0);
});

it('a request whose caller has ended the connection in the middle of the body takes no turns of others', async () => {
  let postponed = 0;
  let ended: IncomingMessage | undefined;
  const server = createServer({ IncomingMessage: PacedRequest }, (incoming, response) => {
    if (incoming.url === '/ended') ended = incoming.on('postponed', () => (postponed += 1));
    incoming.on('data', () => incoming.url === '/next' && pass(30)).once('end', () => response.end());
    response.writeProcessing();
  });
  // It responds when the request has ended.
  server.on('clientError', () => {});
  const { url } = forTest(await listen(server));
  const [first, ...others] = await begun(url, ['/ended', ...Array(3).fill('/next')]);
  first?.socket.end('one ');
  await expect.poll(() => ended?.socket.readable).toBe(false);
  for (const next of others) await sendBodies([next]);
  first?.close();
  expect(postponed).toBeLessThanOrEqual(1);
});

it('a turn of the event loop reads 4 MiB of large bodies, and little more of each connection', async () => {
  const requests = Array.from({ length: 20 }, () => new PacedRequest(new Socket()).on('data', () => {}));
  await new Promise(setImmediate);
  let bytes = 0;
  for (const request of requests) {
    for (let isRead = true; isRead && bytes < 100e6; bytes += 65_536)
      isRead = request.push(Buffer.alloc(65_536));
  }
  // Of each body the first 64 KiB, and the 64 KiB with which the bound is exceeded.
  expect(bytes).toBeLessThanOrEqual((64 + 2 * 20) * 65_536);
  expect(bytes).toBeGreaterThan(64 * 65_536);
});

it('bodies are read soon, although operations take all the time of each turn', async () => {
  const now = turnCounter();
  const turns = new Set<number>();
  const url = await reading(() => turns.add(now()));
  const connections = await begun(url, Array(60).fill('/'));
  workInEachTurn(15);
  await new Promise(setImmediate);
  await sendBodies(connections);
  expect(turns.size).toBeLessThan(10);
});

it('bodies are read in rotation when a turn of the event loop has time for one of them', async () => {
  const reads: string[] = [];
  const chunks = turnCounts();
  const postponed = new Set<string>();
  const url = await reading((incoming) => {
    const path = incoming.url as string;
    incoming.once('postponed', () => postponed.add(path));
    reads.push(path);
    chunks.count();
    pass(12);
  });
  const body = 'z'.repeat(320 * 1_024);
  const paths = ['/0', '/1', '/2', '/3'];
  await sendBodies(await begun(url, paths, body.length), body);
  const firstComplete = Math.min(...paths.map((path) => reads.lastIndexOf(path)));
  const before = (path: string) => reads.slice(0, firstComplete).filter((read) => read === path).length;
  for (const path of paths) expect(before(path), path).toBeGreaterThan(2);
  expect([...postponed].sort()).toEqual(paths);
  expect(chunks.mostOfTurn()).toBe(1);
});

it('an accepted caller has its body read in every second turn, however many others send theirs', async () => {
  const reads: string[] = [];
  class Request extends PacedRequest {
    override get acceptedCaller() {
      return this.url === '/accepted' ? holder('accepted') : nobody;
    }
  }
  const url = await reading(({ url = '' }) => {
    reads.push(url);
    pass(12);
  }, Request);
  const body = 'z'.repeat(256 * 1_024);
  const paths = [...Array.from({ length: 12 }, (_, index) => `/${index}`), '/accepted'];
  const connections = await begun(url, paths, body.length);
  for (const { socket } of connections) socket.write(body);
  await connections.at(-1)?.until(/200 OK/);
  for (const { close } of connections) close();
  const ofAccepted = reads.filter((path) => path === '/accepted').length;
  expect(reads.length).toBeLessThan(4 * ofAccepted);
});

it('a large body that is not consumed is not read in later turns either, until it is', async () => {
  const socket = new Socket();
  const request = new PacedRequest(socket);
  request.read(0);
  const resume = vi.spyOn(socket, 'resume');
  await new Promise(setImmediate);
  while (request.push(Buffer.alloc(65_536)) || request.readableLength <= 5 * 1_024 * 1_024);
  // Another body makes a turn long, after which others are read later.
  const other = new PacedRequest(new Socket()).on('data', () => pass(12));
  await new Promise(setImmediate);
  for (let chunk = 0; chunk < 2; chunk += 1) other.push(Buffer.alloc(2_000));
  for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
  expect(resume).not.toHaveBeenCalled();
  request.resume();
  for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
  expect(resume).toHaveBeenCalled();
});

/** A request that is not postponed, however long the turn of the event loop is. */
const neverPostponed = () => new PacedRequest(Object.assign(new Socket(), { readable: false }));

it('1,000 small chunks of all connections are delivered in one turn, and the others 5 ms later', async () => {
  const requests = [999, 1, 1_000].map((joined) => {
    const lengths: number[] = [];
    const request = neverPostponed().on('data', ({ length }: Buffer) => lengths.push(length));
    return { lengths, request, joined };
  });
  await new Promise(setImmediate);
  // The first 16 of each request are delivered as they are.
  const areRead = requests.map(({ request, joined }) =>
    Array.from({ length: 16 + joined }, () => request.push(Buffer.from('x'))),
  );
  for (const isRead of areRead) expect(isRead.indexOf(false)).toBe(isRead.length < 1_016 ? -1 : 1_015);
  const startedAt = performance.now();
  await new Promise(setImmediate);
  const single = Array(16).fill(1);
  expect(requests.map(({ lengths }) => lengths)).toEqual([[...single, 999], [...single, 1], single]);
  await once(requests[2]?.request as PacedRequest, 'data');
  expect(performance.now() - startedAt).toBeGreaterThan(4);
  expect(requests[2]?.lengths).toEqual([...single, 1_000]);
});

it.each([
  [1_023, 16 + 17],
  [1_024, Number.POSITIVE_INFINITY],
])('a connection waits when its joined chunks have 16 KiB: of %i bytes each', async (bytes, most) => {
  const request = new PacedRequest(new Socket()).on('data', () => {});
  await new Promise(setImmediate);
  let sent = 1;
  while (request.push(Buffer.alloc(bytes)) && sent < 64) sent += 1;
  expect(sent).toBe(Math.min(most, 64));
});

it('requests that were destroyed while they waited for a later turn take no turn of others', async () => {
  let continued = 0;
  const Request = requestsContinuedWith(() => (continued += 1));
  const [large, waiting, ...destroyed] = Array.from({ length: 400 }, () => new Request(new Socket()));
  for (const request of destroyed) request.postpone();
  for (const request of destroyed) request.destroy();
  waiting?.postpone();
  large?.push(Buffer.alloc(65_537));
  while (continued === 0) await new Promise(setImmediate);
  expect(continued).toBe(1);
});

it('a request whose connection closes in the middle of the body is not kept, also when its response has been sent', async () => {
  const requests: WeakRef<IncomingMessage>[] = [];
  const url = await listening(PacedRequest, (incoming, response) => {
    requests.push(new WeakRef(incoming));
    if (incoming.url === '/early') response.end('read');
    else incoming.once('data', () => response.write('read')).on('error', () => {});
  });
  for (let index = 0; index < 20; index += 1) {
    for (const path of ['/early', '/late']) {
      const { until, close, closed } = await openConnection(
        url,
        `${headOf(`POST ${path}`, { 'content-length': '10' })}x`,
      );
      await until(/read/);
      close();
      await closed();
    }
  }
  // Node's parsers keep the last ones.
  const kept = async () => {
    await heapBytes();
    return requests.filter((request) => request.deref()).length;
  };
  await expect.poll(kept).toBeLessThan(10);
});

it('64 requests are continued in one turn of the event loop, however many large bodies have ended in the one before', async () => {
  const counts = turnCounts();
  const Request = requestsContinuedWith(counts.count);
  const create = () => new Request(new Socket()).on('data', () => {});
  const [other, ...ending] = [create(), create(), create(), create(), create(), create()];
  await new Promise(setImmediate);
  for (const request of [other, ...ending]) request.push(Buffer.alloc(65_537));
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  const waiting = Array.from({ length: 400 }, create);
  for (const request of ending) request.push(null);
  for (const request of waiting) request.postpone();
  other.push(Buffer.alloc(65_537));
  while (counts.all() < 400) await new Promise(setImmediate);
  // Those of two turns may count as of one.
  expect(counts.mostOfTurn()).toBeLessThanOrEqual(128);
  for (const request of [...waiting, other, ...ending]) request.destroy();
});

it('a body arrives as it was sent, whatever its chunks, the beginning and the pauses of its reader', async () => {
  const url = await listening(PacedRequest, async (incoming, response) => {
    const received: Buffer[] = [];
    const reader = new Writable({
      highWaterMark: 100,
      write(chunk: Buffer, _encoding, done) {
        received.push(chunk);
        if (received.length % 3 === 0) setImmediate(done);
        else done();
      },
    });
    for (let turns = Number(incoming.url?.slice(1)); turns > 0; turns -= 1) await new Promise(setImmediate);
    pipeline(incoming, reader).then(() => response.end(Buffer.concat(received)));
  });
  const sizes = fc.array(fc.tuple(fc.constantFrom(1, 7, 40, 1_024, 9_000), fc.constantFrom(1, 20, 1_500)), {
    maxLength: 6,
  });
  await fc.assert(
    fc.asyncProperty(sizes, fc.constantFrom(0, 50), async (groups, turns) => {
      const chunks = groups.flatMap(([size, count], group) =>
        Array.from({ length: size > 40 ? Math.min(count, 20) : count }, (_, index) =>
          Buffer.alloc(size, `${group}.${index};`),
        ),
      );
      const sending = request(`${url}/${turns}`, { method: 'POST', agent: false });
      for (const chunk of chunks) sending.write(chunk);
      sending.end();
      const [response] = (await once(sending, 'response')) as [IncomingMessage];
      expect((await buffer(response)).equals(Buffer.concat(chunks))).toBe(true);
    }),
    { seed: 20_310_409, numRuns: 30 },
  );
});
