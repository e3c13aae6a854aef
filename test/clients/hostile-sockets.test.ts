/** Watches of `packages/client` over WebSockets that a gateway with a bug, or a proxy in front of it, closes. */
import { createServer } from 'node:http';
import type { Duplex } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { createFolio, type Folio } from '../../packages/client/src/folio.ts';
import { MalaysiaStatusChangedDocument } from '../../packages/client/src/gql/graphql.ts';
import { createSession } from '../../packages/client/src/session.ts';
import { createSocket } from '../../packages/client/src/socket.ts';
import { createSubscribe } from '../../packages/client/src/subscribe.ts';
import { forFile, forTest } from '../support/lifetimes.ts';
import { listen } from '../support/listen.ts';
import { recipes, recordedWaits, reportedErrors, shortenBackOffs } from '../support/recipe-clients.ts';

/** What happens to a socket at a message of this type. */
type Plan = Readonly<Record<string, (socket: WebSocket, id: string) => void>>;

const accepts: Plan = {
  connection_init: (socket) => socket.send(JSON.stringify({ type: 'connection_ack' })),
};
const status = { documentId: '1', state: 'VALIDATED', isFinal: true };
const reports: Plan = {
  ...accepts,
  subscribe(socket, id) {
    socket.send(JSON.stringify({ id, type: 'next', payload: { data: { malaysiaStatusChanged: status } } }));
    socket.send(JSON.stringify({ id, type: 'complete' }));
  },
};
const closesBefore = (code: number): Plan => ({ connection_init: (socket) => socket.close(code) });
const closesAfter = (code: number): Plan => ({ ...accepts, subscribe: (socket) => socket.close(code) });

/** One for each socket in order, the last one for all further ones. */
let plans: Plan[];
let sockets = 0;

const server = createServer();
const webSockets = new WebSocketServer({ server });
const gateway = await listen(server);
forFile({
  async close() {
    for (const socket of webSockets.clients) socket.terminate();
    await gateway.close();
  },
});
webSockets.on('connection', (socket) => {
  const plan = (plans.length > 1 ? plans.shift() : plans[0]) as Plan;
  sockets += 1;
  socket.on('message', (data) => {
    const { type, id } = JSON.parse(String(data));
    plan[type]?.(socket, id);
  });
});

beforeEach(() => {
  sockets = 0;
  shortenBackOffs();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const variables = { documentId: '1' };
const session = () => createSession('key', 'token');

/** Watches document 1. Returns its states so far, and a promise of the end: of an error, or undefined. */
function watch(
  { subscribe }: Pick<Folio, 'subscribe'> = createFolio(gateway.url, session()),
  onData?: () => void,
) {
  const states: unknown[] = [];
  const ended = new Promise((end) => {
    subscribe(MalaysiaStatusChangedDocument, variables, {
      next({ data }) {
        states.push(data?.malaysiaStatusChanged.state);
        onData?.();
      },
      error: end,
      complete: () => end(undefined),
    });
  });
  return { states, ended };
}

describe.each(recipes)('a watch of the recipe for %s', (_name, createTestClient) => {
  it.each([
    ['a gateway with a bug closes its socket', closesAfter(4500)],
    ['a proxy that fails closes its socket', closesAfter(1011)],
    ['a proxy that fails closes its socket before it is accepted', closesBefore(1011)],
  ])('continues when %s', async (_title, plan) => {
    plans = [plan, plan, reports];
    const client = forTest(createTestClient(gateway.url, session()));
    const states: string[] = [];
    await client.watch(MalaysiaStatusChangedDocument, variables, (data) =>
      states.push(data?.malaysiaStatusChanged.state),
    );
    expect(states).toEqual(['VALIDATED']);
    expect(sockets).toBe(3);
  });
});

it('a watch ends with the error when the gateway refuses what the client sends', async () => {
  plans = [closesAfter(4400), reports];
  expect(await watch().ended).toMatchObject({ code: 4400 });
  expect(sockets).toBe(1);
});

const random = 0.1234;
const queued = { documentId: '1', state: 'QUEUED', isFinal: false };
const reportsAndCloses = (code: number): Plan => ({
  ...accepts,
  subscribe(socket, id) {
    socket.send(JSON.stringify({ id, type: 'next', payload: { data: { malaysiaStatusChanged: queued } } }));
    socket.close(code);
  },
});

it.each([
  ['when it subscribes', closesAfter(4500)],
  ['when it subscribes, as one that is used no more', closesAfter(1000)],
  ['before it is accepted, as one that is used no more', closesBefore(1000)],
  ['after its first event', reportsAndCloses(1001)],
  ['after its first event, as one that is used no more', reportsAndCloses(1000)],
])('a watch waits longer each time before it opens a socket that is closed %s', async (_title, plan) => {
  const waits = recordedWaits(random);
  plans = [...Array.from({ length: 4 }, () => plan), reports];
  await watch().ended;
  expect(waits).toEqual([250, 500, 1_000, 2_000].map((longestMs) => random * longestMs));
});

it('a watch opens another socket soon when one is closed that has answered a ping', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const waits = recordedWaits(random);
  const worksAndCloses: Plan = {
    ...accepts,
    ping(socket) {
      socket.send(JSON.stringify({ type: 'pong' }));
      socket.close(1001);
    },
  };
  plans = [...Array.from({ length: 3 }, () => closesAfter(1001)), worksAndCloses, reports];
  const { states } = watch();
  await expect
    .poll(() => {
      vi.advanceTimersByTime(1_000);
      return states;
    })
    .toEqual(['VALIDATED']);
  expect(waits).toEqual([250, 500, 1_000, 250].map((longestMs) => random * longestMs));
});

it('a watch that begins when the last one ends waits for no socket', async () => {
  const waits = recordedWaits(random);
  plans = [reports];
  const folio = createFolio(gateway.url, session());
  await watch(folio).ended;
  await watch(folio).ended;
  expect(sockets).toBe(2);
  expect(waits).toEqual([]);
});

it('a watch opens another socket when one has not opened after 30 seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const stuck = createServer();
  const handshakes: Duplex[] = [];
  stuck.on('upgrade', (request, socket, head) => {
    if (handshakes.push(socket) > 1)
      webSockets.handleUpgrade(request, socket, head, (opened) => webSockets.emit('connection', opened));
  });
  const { url, close } = await listen(stuck);
  onTestFinished(async () => {
    for (const handshake of handshakes) handshake.destroy();
    await close();
  });
  plans = [reports];
  const { states } = watch(createFolio(url, session()));
  let seconds = 0;
  await expect
    .poll(() => {
      vi.advanceTimersByTime(1_000);
      seconds += 1;
      return states;
    })
    .toEqual(['VALIDATED']);
  expect(seconds).toBeLessThan(60);
  expect(handshakes).toHaveLength(2);
});

it('watches continue when the function that one of them calls throws, and what it throws is reported', async () => {
  const reported = reportedErrors();
  plans = [reports];
  const folio = createFolio(gateway.url, session());
  const fault = new Error('A fault of the page.');
  const throws = () => {
    throw fault;
  };
  const [one, other] = [watch(folio, throws), watch(folio)];
  await Promise.all([one.ended, other.ended]);
  expect(other.states).toEqual(['VALIDATED']);
  expect(reported).toEqual([fault]);
  expect(sockets).toBe(1);
});

it('a watch continues when a function throws that the page calls at each change of the socket, which is reported', async () => {
  const reported = reportedErrors();
  plans = [closesAfter(1011), reports];
  const socket = createSocket(gateway.url, session());
  const fault = new Error('A fault of the page.');
  const events: string[] = [];
  const stops = (['connecting', 'connected', 'closed'] as const).map((event) =>
    socket.on(event, () => {
      events.push(event);
      throw fault;
    }),
  );
  const { ended } = watch({ subscribe: createSubscribe(socket.subscribe) });
  expect(await ended).toBeUndefined();
  expect(sockets).toBe(2);
  for (const stop of stops) stop();
  expect(events.slice(0, 3)).toEqual(['connecting', 'connected', 'closed']);
  expect(new Set(reported)).toEqual(new Set([fault]));
});

/** The `URL` of React Native. */
class SlashedURL {
  readonly href: string;
  constructor(address: string) {
    this.href = `${address}/`;
  }
}
const page = { location: { href: 'https://page.example/app/documents/1' } };

it.each<[string, string, object]>([
  ['/graphql', 'wss://page.example/graphql', page],
  ['http://folio.example/graphql', 'ws://folio.example/graphql', page],
  [
    'graphql',
    'wss://page.example/app/graphql',
    { ...page, document: { baseURI: 'https://page.example/app/' } },
  ],
  ['https://folio.example/graphql', 'wss://folio.example/graphql', { URL: SlashedURL }],
])(
  'the address of a socket for %s is %s, whole and relative to the <base> of a page',
  async (url, expected, globals) => {
    let address = '';
    class ClosedSocket {
      onclose(_event: unknown): void {}
      constructor(given: string) {
        address = given;
        queueMicrotask(() => this.onclose({ code: 4400, reason: '' }));
      }
    }
    for (const [name, value] of Object.entries({ ...globals, WebSocket: ClosedSocket }))
      vi.stubGlobal(name, value);
    onTestFinished(() => void vi.unstubAllGlobals());
    await watch(createFolio(url, session())).ended;
    expect(address).toBe(expected);
  },
);
