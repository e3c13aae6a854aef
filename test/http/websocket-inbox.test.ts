/** What arrives over a WebSocket: which bytes count until they are handled, and in which order messages are handled. */
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import * as ws from 'ws';
import type { Connection } from '../../src/http/websocket/connection.ts';
import { createInbox } from '../../src/http/websocket/inbox.ts';
import { shareOf } from '../../src/shares/bound-sizes.ts';
import { ReclaimingBudget } from '../../src/shares/reclaiming-budget.ts';
import { createScheduler, type Scheduler } from '../../src/shares/scheduler.ts';
import { aShares, holder } from '../support/shares.ts';
import { pass } from '../support/work.ts';

/** Reads frames. The types of ws do not have it. */
const { Receiver } = ws as unknown as { Receiver: new (options: object) => Writable };

const idle = { _buffers: [], _fragments: [], _mask: undefined, _payloadLength: 0, _state: 0 };
const bytes = (count: number) => Buffer.alloc(count);
/** The end of a chunk of so many bytes. */
const endOf = (count: number) => bytes(count).subarray(-1);
const pings = (count: number) => Buffer.alloc(6 * count, Buffer.from([0x89, 0x80, 0, 0, 0, 0]));
/** The state in which ws has a whole message. */
const isWhole = { _state: 6 };

let receiver: Record<string, unknown> | null;
let events: string[];
/** How long the message that was handled last has waited (ms). */
let waited: number;
let starts: (() => boolean)[];
let canStart: boolean;
let budget: ReclaimingBudget;
let scheduler: Scheduler;
let inbox: ReturnType<typeof createInbox>;
let connection: Connection;

beforeEach(() => {
  [receiver, events, starts, canStart] = [idle, [], [], true];
  const all = 1_000_000;
  budget = new ReclaimingBudget(
    shareOf('bodies', all, { newcomers: all, owner: all }),
    aShares(),
    'costliest',
  );
  const admission = {
    tryStart: () => canStart,
    startLater: (_of: unknown, start: () => boolean) => starts.push(start),
  };
  scheduler = createScheduler(aShares().acceptedLanes);
  const handle = ({ waitedMs }: Connection, data: Buffer) => {
    waited = waitedMs;
    events.push(String(data));
  };
  const guard = (_socket: unknown, handle: () => void) => {
    try {
      handle();
    } catch (error) {
      events.push(String(error));
    }
  };
  inbox = createInbox(admission as never, budget, scheduler, handle, guard);
  const socket = {
    readyState: 1,
    OPEN: 1,
    get _receiver() {
      return receiver;
    },
    pause: () => events.push('pause'),
    resume: () => events.push('resume'),
    terminate: () => events.push('terminate'),
  };
  const counted = { receivedBytes: 0, received: undefined, waiting: undefined, waitedMs: 0 };
  connection = { identity: holder('a'), socket, ...counted } as unknown as Connection;
});

const receive = (data: string) => inbox.receive(connection, Buffer.from(data), false);

describe('the bytes of a WebSocket message', () => {
  it.each<[string, object, number]>([
    ['up to 4 KiB, which are not counted', { _buffers: [bytes(3_840)] }, 0],
    ['above 4 KiB, with 256 for each chunk', { _buffers: [bytes(2_000), bytes(2_000)] }, 4_512],
    ['of its frames before', { _buffers: [bytes(4_000)], _fragments: [bytes(1_000)] }, 5_512],
    ['of the chunks that its frames arrived in', { _fragments: [endOf(6_000), endOf(5_000)] }, 11_512],
    ['of a whole message before it is handled', { ...isWhole, _payloadLength: 5_000 }, 5_000],
    ['of an incomplete message, without those to come', { _payloadLength: 5_000 }, 0],
  ])('are those that were received: %s', (_what, state, bytes) => {
    receiver = { ...idle, ...state };
    inbox.count(connection);
    expect(budget.held).toBe(bytes);
    // A socket that has closed has no receiver.
    for (const later of [idle, null]) {
      receiver = later;
      inbox.count(connection);
      expect(budget.held).toBe(0);
    }
  });

  it('count as long as it waits, with 256 for the message', () => {
    canStart = false;
    receive('x'.repeat(5_000));
    expect(budget.held).toBe(5_256);
    starts.shift()?.();
    expect(budget.held).toBe(0);
    receive('x'.repeat(5_000));
    inbox.close(connection);
    expect(budget.held).toBe(0);
  });

  it('that waits keep no other part of the chunk that they arrived in', () => {
    canStart = false;
    const chunk = bytes(64 * 1_024);
    inbox.receive(connection, chunk.subarray(-100), false);
    expect(connection.waiting?.data).toEqual(bytes(100));
    expect(connection.waiting?.data.buffer.byteLength).toBe(100);
  });

  it('do not count while it is handled at once', () => {
    receiver = { ...idle, ...isWhole, _payloadLength: 5_000 };
    inbox.count(connection);
    receive('a');
    expect([budget.held, events]).toEqual([0, ['a']]);
  });
});

describe('the messages of a WebSocket', () => {
  /** Messages wait from now on. Returns how ws reads on. */
  function readLater(): () => void {
    receiver = Object.assign(Object.create({ startLoop: () => events.push('read') }), idle);
    inbox.open(connection);
    canStart = false;
    return () => (receiver as { startLoop(): void }).startLoop();
  }

  it('are handled one in each turn, and what arrives behind one that waits is not read before', () => {
    const startLoop = readLater();
    const receivedAt = performance.now();
    receive('a');
    startLoop();
    expect(events).toEqual(['pause']);
    expect(starts.shift()?.()).toBe(true);
    expect(waited).toBeLessThanOrEqual(performance.now() - receivedAt);
    expect(connection.waitedMs, 'of the next message').toBe(0);
    expect(events).toEqual(['pause', 'resume', 'a', 'read']);
  });

  it('that ask for a pong do not wait, since their client would take the socket for dead', () => {
    canStart = false;
    receive('{"type":"ping"}');
    expect(events).toEqual(['{"type":"ping"}']);
  });

  it('of a connection that has closed are read no further than the one that waits, and not handled', () => {
    const startLoop = readLater();
    receive('a');
    startLoop();
    Object.assign(connection.socket, { readyState: 3 });
    inbox.dropRest(connection);
    receive('b');
    expect(starts.shift()?.()).toBe(false);
    expect(events).toEqual(['pause', 'read']);
  });

  it('that have waited close their socket alone when what follows them fails', () => {
    canStart = false;
    receive('a');
    connection.readOn = () => {
      throw new Error('a bug');
    };
    expect(starts[0]?.()).toBe(true);
    expect(events).toEqual(['pause', 'resume', 'a', 'Error: a bug']);
  });

  it('that wait when it closes are not handled', () => {
    canStart = false;
    receive('a');
    inbox.close(connection);
    expect(starts.shift()?.()).toBe(false);
    expect(events).toEqual(['pause']);
  });
});

describe('what has arrived over a WebSocket', () => {
  /** A socket whose pings are handled by the function. */
  function openReceiver(onPing: () => void): { receiver: Writable; connection: Connection } {
    const receiver = new Receiver({ isServer: true, allowSynchronousEvents: false });
    receiver.on('ping', onPing);
    const socket = { _receiver: receiver, isPaused: false, pause: () => {}, resume: () => {} };
    const connection = { socket } as unknown as Connection;
    inbox.open(connection);
    return { receiver, connection };
  }

  it('is read before operations that have waited for a turn of the event loop', async () => {
    await nextTurn();
    scheduler.waitForTurn(holder('a'));
    pass(12);
    let ended = 0;
    let areRead = false;
    for (let operation = 0; operation < 40; operation += 1) {
      void scheduler.waitForTurn(holder('a'))?.then(() => {
        if (areRead) return;
        pass(12);
        ended += 1;
      });
    }
    const sockets = Array.from({ length: 100 }, () => openReceiver(() => {}));
    const ends = sockets.map(({ receiver }) => once(receiver, 'finish'));
    for (const { receiver } of sockets) receiver.end(pings(1));
    await Promise.all(ends);
    areRead = true;
    expect(ended).toBeLessThan(10);
  });

  it('is read for 10 ms in one turn of the event loop, and of the other sockets in later ones', async () => {
    const ofTurns: number[] = [];
    let handled = 0;
    let counting = setImmediate(function count() {
      ofTurns.push(handled);
      handled = 0;
      counting = setImmediate(count);
    });
    const sockets = Array.from({ length: 150 }, () =>
      openReceiver(() => {
        handled += 1;
        pass(1);
      }),
    );
    const ends = sockets.map(({ receiver }) => once(receiver, 'finish'));
    for (const { receiver } of sockets) receiver.end(pings(3));
    await Promise.all(ends);
    clearImmediate(counting);
    expect(ofTurns.reduce((sum, count) => sum + count, handled)).toBe(450);
    // All are read once before the first turn ends.
    expect(Math.max(...ofTurns.slice(2))).toBeLessThan(75);
  });

  it('behind an invalid frame is dropped when it has waited together with it', async () => {
    const { receiver } = openReceiver(() => {});
    const failed = once(receiver, 'error');
    receiver.write(pings(1));
    // A close frame with the code 1.
    receiver.write(Buffer.from([0x88, 0x82, 0, 0, 0, 0, 0, 1]));
    receiver.write(pings(10));
    expect(await failed).toMatchObject([{ code: 'WS_ERR_INVALID_CLOSE_CODE' }]);
  });

  it('and is not read when its connection closes is dropped', async () => {
    let handled = 0;
    const { receiver, connection } = openReceiver(() => (handled += 1));
    const end = once(receiver, 'finish');
    receiver.write(pings(10_000));
    receiver.end(pings(10_000));
    inbox.dropRest(connection);
    await end;
    expect(handled).toBe(1);
  });
});
