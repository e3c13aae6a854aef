import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Holder, Lane, Owner } from '../../src/caller.ts';
import { applicationShareOf } from '../../src/shares/bound-sizes.ts';
import { createSockets, type SocketShare } from '../../src/shares/sockets-and-streams.ts';
import { fc } from '../support/fast-check.ts';
import { alice, startTestGateway, type TestGateway, withKey } from '../support/gateway.ts';
import { forTest, serviceForFile } from '../support/lifetimes.ts';
import { openConnection, postOf } from '../support/raw-http.ts';
import * as does from '../support/service.ts';
import { sharesWith } from '../support/shares.ts';
import { openSocket, type TestSocket } from '../support/websocket.ts';

const lane = (index: number) => `lane-${index}` as Lane;
const callerOf = (lane: Lane) => ({ lane, owner: lane as string as Owner });

function sharesFor(sockets: number, streams: number, ...accepted: Holder[]) {
  const changed = {
    sockets: applicationShareOf('sockets', sockets),
    streams: applicationShareOf('streams', streams),
  };
  return sharesWith(changed, ...accepted);
}

describe('shares of the sockets', () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('open' as const), lane: fc.option(fc.nat(9), { nil: undefined }) }),
    fc.record({ do: fc.constant('identify' as const), at: fc.nat(), lane: fc.nat(9) }),
    fc.record({ do: fc.constant('release' as const), at: fc.nat() }),
    fc.record({ do: fc.constant('accept' as const), lane: fc.nat(2) }),
  );
  const sequence = fc.array(step, { maxLength: 80, size: 'max' });

  const unidentified = { do: 'open' as const, lane: undefined };
  const unproven = { do: 'open' as const, lane: 0 };

  it('keep their bounds in any sequence of events, and always have room for an accepted caller', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 16 }), sequence, (maxSockets, steps) => {
        const shares = sharesFor(maxSockets, maxSockets);
        const { acceptedLanes } = shares;
        const sockets = createSockets(shares);
        type Open = { share: SocketShare; lane: Lane | undefined };
        let open: Open[] = [];
        const remove = (entry: Open | undefined) => {
          entry?.share.release();
          open = open.filter((other) => other !== entry);
        };
        const enter = (asked: Lane | undefined) => {
          const entry: { share?: SocketShare; lane: Lane | undefined } = { lane: asked };
          const share = sockets.hold(asked && callerOf(asked), 0, () => remove(entry as Open));
          if (share) open.push(Object.assign(entry, { share }) as Open);
          return share ? (entry as Open) : undefined;
        };
        const unproven = () => open.filter((entry) => entry.lane && !acceptedLanes.has(entry.lane)).length;

        for (const step of steps) {
          if (step.do === 'accept') acceptedLanes.accept(callerOf(lane(step.lane)));
          else if (step.do === 'open') {
            const before = unproven();
            enter(step.lane === undefined ? undefined : lane(step.lane));
            if (unproven() > before)
              expect(unproven()).toBeLessThanOrEqual(Math.max(1, Math.floor(maxSockets / 2)));
          } else if (step.do === 'release') remove(open[step.at % open.length]);
          else {
            const unidentified = open.filter((entry) => entry.lane === undefined);
            const entry = unidentified[step.at % unidentified.length];
            if (entry === undefined) continue;
            if (entry.share.identify(callerOf(lane(step.lane)), 0)) entry.lane = lane(step.lane);
            else remove(entry);
          }
          expect(open.length).toBeLessThanOrEqual(maxSockets);
        }

        const honest = lane(99);
        acceptedLanes.accept(callerOf(honest));
        const strangers = open.filter((entry) => !entry.lane || !acceptedLanes.has(entry.lane)).length;
        const isCrowdOnly = strangers === open.length;
        if (isCrowdOnly && maxSockets >= 2) {
          const entry = enter(undefined);
          expect(entry?.share.identify(callerOf(honest), 0)).toBe(true);
        }
      }),
      {
        numRuns: 150,
        examples: [
          [4, [unidentified, unidentified, unidentified, unproven]],
          [2, [unidentified, unidentified]],
        ],
      },
    );
  });
});

it('a WebSocket whose request or credentials are long counts as several', () => {
  const KiB = 1024;
  const sockets = createSockets(sharesFor(8, 8));
  const dropped: string[] = [];
  const open = (name: string, bytes: number) => sockets.hold(undefined, bytes, () => dropped.push(name));
  const first = open('first', 4 * KiB);
  expect(first?.identify(callerOf(lane(1)), 16 * KiB), 'all of the half for newcomers').toBe(true);
  expect(open('small', 0)?.identify(callerOf(lane(2)), 0)).toBe(false);
  const old = open('old', 4 * KiB);
  expect(old).toBeDefined();
  expect(open('next', 4 * KiB)).toBeDefined();
  expect(dropped).toEqual([]);
  expect(open('long', 8 * KiB)).toBeDefined();
  expect(dropped).toEqual(['old', 'next']);
  expect(old?.identify(callerOf(lane(3)), 0), 'it was dropped').toBe(false);
  first?.release();
  expect(open('longest', 16 * KiB)).toBeDefined();
  expect(dropped).toHaveLength(2);
});

it('sockets whose credentials are not known count in the ratio of all, and in no other', () => {
  const shares = sharesFor(8, 8);
  const report = vi.spyOn(shares, 'report');
  const sockets = createSockets(shares);
  const fill = () => report.mock.calls.findLast(([share]) => share.bound === 'sockets')?.[1]();
  const [first] = [1, 2].map(() => sockets.hold(undefined, 0, () => {}));
  expect(fill()).toEqual({ all: 2, newcomers: 0, owner: 0 });
  first?.identify(callerOf(lane(1)), 0);
  expect(fill()).toEqual({ all: 2, newcomers: 1, owner: 1 });
});

it('a caller who has reached its own part displaces no new socket', () => {
  const caller = callerOf(lane(1));
  const sockets = createSockets(sharesFor(8, 8, caller));
  const dropped: string[] = [];
  const open = () => sockets.hold(caller, 0, () => {});
  for (let socket = 0; socket < 6; socket += 1) expect(open()).toBeDefined();
  for (const name of ['first', 'second']) sockets.hold(undefined, 0, () => dropped.push(name));
  expect([open(), dropped]).toEqual([undefined, []]);
  expect(() => sockets.holdStream(caller)).toThrow(expect.objectContaining({ bound: 'sockets' }));
  expect(dropped).toEqual([]);
});

it.each([
  ['without credentials', undefined],
  ['by a known caller', callerOf(lane(1))],
])(
  'a WebSocket that was opened %s and has closed holds nothing for credentials that arrive afterwards',
  (_how, holder) => {
    const sockets = createSockets(sharesFor(2, 2));
    const open = () => sockets.hold(holder, 0, () => {});
    const closed = open();
    closed?.release();
    expect(closed?.identify(callerOf(lane(1)), 0)).toBe(false);
    expect(open()?.identify(callerOf(lane(1)), 0)).toBe(true);
  },
);

it('event streams have a bound of their own, and a released one makes room', () => {
  const shares = sharesFor(100, 8, callerOf(lane(1)), callerOf(lane(2)));
  const sockets = createSockets(shares);
  const releases = Array.from({ length: 6 }, () => sockets.holdStream(callerOf(lane(1))));
  expect(() => sockets.holdStream(callerOf(lane(1)))).toThrow(
    expect.objectContaining({ bound: 'streams-owner' }),
  );
  sockets.holdStream(callerOf(lane(2)));
  const isFull = expect.objectContaining({ bound: 'streams' });
  expect(() => sockets.holdStream(callerOf(lane(2))), 'the last is for a caller without any').toThrow(isFull);
  sockets.holdStream(callerOf(lane(3)));
  expect(() => sockets.holdStream(callerOf(lane(4)))).toThrow(isFull);
  expect(
    sockets.hold(callerOf(lane(1)), 0, () => {}),
    'a WebSocket',
  ).toBeDefined();
  releases[0]?.();
  sockets.holdStream(callerOf(lane(4)));
});

it('event streams count as sockets too', () => {
  const sockets = createSockets(sharesFor(8, 100, callerOf(lane(1))));
  for (let stream = 0; stream < 6; stream += 1) sockets.holdStream(callerOf(lane(1)));
  expect(() => sockets.holdStream(callerOf(lane(1)))).toThrow(
    expect.objectContaining({ bound: 'sockets-owner' }),
  );
});

const service = await serviceForFile(does.json(200, { status: 'queued' }));

describe('sockets', () => {
  const watch = 'subscription { malaysiaStatusChanged(documentId: "1") { state } }';
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = forTest(await startTestGateway({ UPSTREAM_URL: service.url, MAX_SOCKETS: '8' }));
  });
  afterEach(() => void vi.useRealTimers());

  async function open(payload?: object): Promise<TestSocket> {
    const socket = await openSocket(gateway);
    if (payload) socket.send({ type: 'connection_init', payload });
    return socket;
  }

  /** `connection_ack`, or the code with which the gateway closes the socket. */
  function outcomeOf(socket: TestSocket): Promise<string | number> {
    return Promise.race([
      socket.message().then(
        ({ type }) => type,
        () => new Promise<never>(() => {}),
      ),
      socket.closed().then(({ code }) => code),
    ]);
  }

  async function eventStream(headers: Record<string, string>): Promise<string> {
    const body = JSON.stringify({ query: watch });
    const request = postOf(body, { accept: 'text/event-stream', ...headers });
    const { until, text, close } = await openConnection(gateway.url, request);
    await until(/QUEUED|RATE_LIMITED/);
    close();
    return text();
  }

  it('with invented or without credentials use at most half, and an accepted caller can connect', async () => {
    // An endpoint that requires both credentials accepts them.
    service.will(does.json(200, { createGroup: { id: 7 } }), does.json(200, { status: 'queued' }));
    const { data } = await gateway.ask('mutation { createGroup(input: {}) { __typename } }');
    expect(data).toEqual({ createGroup: { __typename: 'Group' } });
    for (let index = 0; index < 10; index += 1) {
      const outcome = await outcomeOf(await open(index % 2 ? withKey(`invented-${index}`) : {}));
      expect(outcome).toBe(index < 4 ? 'connection_ack' : 1013);
    }
    for (let index = 0; index < 10; index += 1) await open();
    const socket = await open(alice);
    expect(await outcomeOf(socket)).toBe('connection_ack');
    socket.send({ type: 'subscribe', id: '1', payload: { query: watch } });
    expect((await socket.messageOf('1')).payload.data.malaysiaStatusChanged.state).toBe('QUEUED');
    expect(await eventStream(alice)).toContain('QUEUED');
    expect(await eventStream(withKey('invented'))).toContain('RATE_LIMITED');
  });

  it('with long requests or credentials are fewer', async () => {
    const headers = { ...withKey('k'.repeat(8_000)), authorization: `Bearer ${'t'.repeat(7_000)}` };
    const first = await openSocket(gateway, { headers });
    const second = await openSocket(gateway, { headers });
    expect((await first.closed()).code, 'the oldest makes room').toBe(1006);
    second.send({ type: 'connection_init' });
    expect(await outcomeOf(second)).toBe('connection_ack');
    expect(await outcomeOf(await open(withKey('invented')))).toBe(1013);
  });

  it('without an operation are closed with 1000 after a minute, and others stay open', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const [quiet, watching] = [await open(alice), await open(alice)];
    for (const socket of [quiet, watching]) expect(await outcomeOf(socket)).toBe('connection_ack');
    watching.send({ type: 'subscribe', id: '1', payload: { query: watch } });
    await watching.messageOf('1');
    for (let ping = 0; ping < 5; ping += 1) {
      expect(quiet.raw.readyState).toBe(quiet.raw.OPEN);
      const pinged = [quiet, watching].map((socket) => once(socket.raw, 'ping'));
      vi.advanceTimersByTime(12_000);
      await Promise.all(pinged);
      // The reply shows that the gateway has received everything sent before, including the pong.
      for (const socket of [quiet, watching]) {
        if (socket.raw.readyState !== socket.raw.OPEN) continue;
        socket.send({ type: 'ping' });
        await socket.message().catch(() => {});
      }
    }
    expect(await quiet.closed()).toEqual({ code: 1000, reason: 'No operation for a minute' });
    expect(watching.raw.readyState).toBe(watching.raw.OPEN);
  });
});
