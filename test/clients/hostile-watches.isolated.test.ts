/**
 * Watches of `packages/client` over connections that break, go silent, or lead to a proxy or to another gateway, and its wait
 * before an operation is sent again.
 */
import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { subscribeOverEventStreams } from '../../packages/client/src/event-stream.ts';
import { MalaysiaStatusesChangedDocument } from '../../packages/client/src/gql/graphql.ts';
import { createLiveStatuses } from '../../packages/client/src/live-statuses.ts';
import { messageOf } from '../../packages/client/src/message.ts';
import { createSession, type Session } from '../../packages/client/src/session.ts';
import type { Socket, SocketSink } from '../../packages/client/src/socket.ts';
import type { Subscribe, SubscriptionSink } from '../../packages/client/src/subscribe.ts';
import { withRenewal } from '../../packages/client/src/subscription-renewal.ts';
import { waitToRepeat } from '../../packages/client/src/wait-to-repeat.ts';
import { anyText } from '../support/any-text.ts';
import { fc } from '../support/fast-check.ts';
import { serviceForFile } from '../support/lifetimes.ts';
import { recordedWaits, reportedErrors, shortenBackOffs } from '../support/recipe-clients.ts';
import { type Behaviour, json, text } from '../support/service.ts';

const gateway = await serviceForFile();
/** Where a proxy redirects to. No credentials may reach it. */
const elsewhere = await serviceForFile();
const fetchToken = vi.fn(async () => 'second');
let session: Session;
const stops: (() => void)[] = [];

beforeEach(() => {
  shortenBackOffs();
  fetchToken.mockClear();
  session = createSession('key', 'first', { fetchToken });
});
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  expect(elsewhere.received.splice(0)).toEqual([]);
  vi.useRealTimers();
  vi.restoreAllMocks();
});

interface Status {
  readonly state: string;
  readonly isFinal?: boolean;
  readonly problem?: { readonly code: string };
}

const statusEvent = (documentId: string, status: Status) =>
  `event: next\ndata: ${JSON.stringify({ data: { malaysiaStatusesChanged: { documentId, ...status } } })}\n\n`;
const queued = (documentId: string) => statusEvent(documentId, { state: 'QUEUED', isFinal: false });
const validated = (documentId: string) => statusEvent(documentId, { state: 'VALIDATED', isFinal: true });
const refused = (documentId: string) =>
  statusEvent(documentId, { state: 'UNKNOWN', isFinal: false, problem: { code: 'UNAUTHENTICATED' } });
const complete = 'event: complete\ndata:\n\n';

/** An event stream that stays open after these events. */
const stream =
  (...events: string[]): Behaviour =>
  (_request, response) =>
    void response.writeHead(200, { 'content-type': 'text/event-stream' }).write(`:\n\n${events.join('')}`);
/** An event stream that ends after these events. */
const cutStream =
  (...events: string[]): Behaviour =>
  (_request, response) =>
    void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(events.join(''));

/** Watches documents. Returns the events so far, and a promise of the end. */
const watch = (...documentIds: string[]) => watchOver(overEventStreams(), ...documentIds);

const overEventStreams = () => subscribeOverEventStreams(gateway.url, session);

/** Watches documents with functions of the test. Returns the one that stops it. */
function observe(sink: Partial<SubscriptionSink<any>>, ...documentIds: string[]): () => void {
  const stop = overEventStreams()(MalaysiaStatusesChangedDocument, { documentIds }, { next() {}, ...sink });
  stops.push(stop);
  return stop;
}

function watchOver(subscribe: Subscribe, ...documentIds: string[]) {
  const events: string[] = [];
  const ended = new Promise<void>((resolve) => {
    const stop = subscribe(
      MalaysiaStatusesChangedDocument,
      { documentIds },
      {
        next({ data }) {
          const { documentId, state, problem } = data?.malaysiaStatusesChanged ?? {};
          events.push(`${documentId} ${problem?.code ?? state}`);
        },
        complete: resolve,
      },
    );
    stops.push(stop);
  });
  return { events, ended };
}

it.each([
  ['the JSON of a proxy with 502', json(502, { message: 'no healthy upstream' })],
  ['the JSON of a proxy with 200', json(200, { message: 'Service Unavailable' })],
  ['a redirect', text(307, '', { location: elsewhere.url })],
  ['an event that is cut', cutStream('event: next\ndata: {"data":')],
  ['an event that is not JSON', stream('event: next\ndata: <html>\n\n')],
])('a watch does not end with %s, and reaches the final state', async (_title, answer) => {
  gateway.will(answer, stream(validated('1'), complete));
  const { events, ended } = watch('1');
  await ended;
  expect(events).toEqual(['1 VALIDATED']);
});

it.each(['\n', '\r', '\r\n'])('a watch shows a status at once whose lines end with %j', async (end) => {
  gateway.will(stream(queued('1').replaceAll('\n', end)));
  const { events } = watch('1');
  await expect.poll(() => events).toEqual(['1 QUEUED']);
});

it('a watch shows the same statuses for each way to write an event stream and to cut it into chunks', async () => {
  const lineEnd = fc.constantFrom('\n', '\r', '\r\n');
  const written = fc.record({
    message: anyText(),
    /** After each colon. */
    space: fc.constantFrom('', ' '),
    /** In front of the event: a comment, and members that are not used. */
    others: fc.subarray([':', ':a comment', 'id: 7', 'retry', 'data2: x', 'Event: next', '']),
    /** JSON in one line or in several. */
    indent: fc.constantFrom(0, 1),
    isDataFirst: fc.boolean(),
    end: lineEnd,
  });
  const cuts = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(written, { minLength: 1, maxLength: 5 }),
      cuts,
      fc.boolean(),
      async (all, sizes, hasMark) => {
        const shown = all.map(({ message }, index) => ({ documentId: `${index}`, state: 'QUEUED', message }));
        const texts = all.map(({ space, others, indent, isDataFirst, end }, index) => {
          const json = JSON.stringify({ data: { malaysiaStatusesChanged: shown[index] } }, null, indent);
          const data = json.split('\n').map((line) => `data:${space}${line}`);
          const name = [`event:${space}next`];
          const lines = [...others, ...(isDataFirst ? [data, name] : [name, data]).flat(), '', ''];
          return lines.join(end);
        });
        const bytes = new TextEncoder().encode(
          `${hasMark ? '\uFEFF' : ''}${texts.join('')}event:complete\n\n`,
        );
        const body = new ReadableStream({
          start(controller) {
            for (let [at, count] = [0, 0]; at < bytes.length; count += 1) {
              const size = sizes[count % sizes.length] ?? 1;
              controller.enqueue(bytes.slice(at, at + size));
              at += size;
            }
            controller.close();
          },
        });
        const headers = { 'content-type': 'text/event-stream' };
        const fetched = vi.spyOn(globalThis, 'fetch').mockResolvedValueOnce(new Response(body, { headers }));
        const results: unknown[] = [];
        await new Promise<void>((complete) => {
          const next = ({ data }: { readonly data?: any }) => results.push(data?.malaysiaStatusesChanged);
          observe({ next, complete }, '1');
        });
        fetched.mockRestore();
        expect(results).toEqual(shown);
      },
    ),
  );
});

it('a watch over an event stream ends with an error where no stream can be read, as in React Native', async () => {
  vi.stubGlobal('TextDecoderStream', undefined);
  onTestFinished(() => void vi.unstubAllGlobals());
  const reported = await new Promise((error) => observe({ error }, '1'));
  expect(String(reported)).toMatch(/TextDecoderStream.+websocket/);
  expect(gateway.received).toEqual([]);
});

it('a watch that is stopped at its first event reports no other that has arrived with it', async () => {
  const closed = Promise.withResolvers<void>();
  gateway.will((request, response) => {
    response.on('close', closed.resolve);
    stream(queued('1'), queued('2'))(request, response);
  });
  const next = vi.fn(() => stop());
  const stop = observe({ next }, '1', '2');
  await closed.promise;
  expect(next).toHaveBeenCalledTimes(1);
});

it.each([
  ['before its first event', []],
  ['after its first event', [queued('1')]],
])(
  'a watch waits longer each time before it continues an event stream that is cut %s',
  async (_title, events) => {
    const waits = recordedWaits(0.1234);
    const cut = cutStream(...events);
    gateway.will(cut, cut, cut, cut, stream(validated('1'), complete));
    await watch('1').ended;
    expect(waits).toEqual([250, 500, 1_000, 2_000].map((longestMs) => 0.1234 * longestMs));
  },
);

it('a watch continues an event stream soon when one is cut that was open for ten seconds', async () => {
  const waits = recordedWaits(0.1234);
  const { now } = performance;
  let aheadMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + aheadMs);
  const cutLate: Behaviour = (request, response) => {
    aheadMs += 10_000;
    cutStream()(request, response);
  };
  gateway.will(cutStream(), cutStream(), cutLate, stream(validated('1'), complete));
  await watch('1').ended;
  expect(waits).toEqual([250, 500, 250].map((longestMs) => 0.1234 * longestMs));
});

it('a watch closes the connection of a response that it cannot read', async () => {
  const closed = Promise.withResolvers<void>();
  const unreadable: Behaviour = (request, response) => {
    response.on('close', closed.resolve);
    stream('event: next\ndata: <html>\n\n')(request, response);
  };
  gateway.will(unreadable, stream(queued('1')));
  const { events } = watch('1');
  await closed.promise;
  await expect.poll(() => events).toEqual(['1 QUEUED']);
});

it.each([
  ['after its first event', stream(queued('1'))],
  ['before its response', () => {}],
])('a watch connects again when its connection is silent for 30 seconds %s', async (_title, silent) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  gateway.will(silent, stream(validated('1'), complete));
  const { events, ended } = watch('1');
  await expect.poll(() => gateway.received).toHaveLength(1);
  await expect
    .poll(() => {
      vi.advanceTimersByTime(1_000);
      return events.at(-1);
    })
    .toBe('1 VALIDATED');
  await ended;
});

it('a watch ends once when the function that it calls at its end throws, which is reported', async () => {
  const reported = reportedErrors();
  gateway.will(stream(validated('1'), complete));
  const fault = new Error('A fault of the page.');
  const end = vi.fn(() => {
    throw fault;
  });
  observe({ complete: end }, '1');
  await expect.poll(() => reported).toEqual([fault]);
  expect(end).toHaveBeenCalledTimes(1);
  expect(gateway.received).toHaveLength(1);
});

it('a watch shows no older state of a document that is final', async () => {
  gateway.will(cutStream(validated('1'), queued('2')), stream(queued('1'), validated('2'), complete));
  const { events, ended } = watch('1', '2');
  await ended;
  expect(events).toEqual(['1 VALIDATED', '2 QUEUED', '2 VALIDATED']);
});

it('two event streams that are refused one after the other with one token renew it once', async () => {
  const responses: Parameters<Behaviour>[1][] = [];
  const held: Behaviour = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n');
    responses.push(response);
  };
  gateway.will(held);
  const subscribe = overEventStreams();
  const watches = [watchOver(subscribe, '1'), watchOver(subscribe, '2')];
  await expect.poll(() => responses).toHaveLength(2);
  for (const count of [3, 4]) {
    responses[count - 3]?.write(refused('1') + complete);
    await expect.poll(() => responses).toHaveLength(count);
  }
  for (const response of responses.slice(2)) response.write(validated('1') + complete);
  await Promise.all(watches.map(({ ended }) => ended));
  expect(fetchToken).toHaveBeenCalledTimes(1);
});

it('a watch renews nothing for a refusal of an earlier connection, whose token was renewed since', async () => {
  const onSignOut = vi.fn();
  session = createSession('key', 'first', { onSignOut });
  const connection = Promise.withResolvers<Parameters<Behaviour>[1]>();
  const held: Behaviour = (request, response) => {
    stream(refused('1'), queued('2'))(request, response);
    connection.resolve(response);
  };
  const ends = stream(validated('1'), validated('2'), complete);
  gateway.will(held, ends, ends);
  const { events, ended } = watch('1', '2');
  await expect.poll(() => events).toEqual(['2 QUEUED']);
  session.renew('second');
  (await connection.promise).end();
  await ended;
  expect(events).toEqual(['2 QUEUED', '1 VALIDATED', '2 VALIDATED']);
  expect(onSignOut).not.toHaveBeenCalled();
});

it('a watch that is refused with a renewed token does not end a session that has a newer one', async () => {
  const onSignOut = vi.fn();
  session = createSession('key', 'first', { fetchToken, onSignOut });
  const refusesLate: Behaviour = (request, response) => {
    session.renew('third');
    stream(refused('1'), complete)(request, response);
  };
  gateway.will(stream(refused('1'), complete), refusesLate, stream(validated('1'), complete));
  const { events, ended } = watch('1');
  await ended;
  expect(events).toEqual(['1 VALIDATED']);
  expect(onSignOut).not.toHaveBeenCalled();
});

it('each document of a watch is reported as refused when the session is over', async () => {
  session = createSession('key', 'first');
  gateway.will(stream(refused('1'), refused('2'), complete));
  const { events, ended } = watch('1', '2');
  await ended;
  expect(events).toEqual(['1 UNAUTHENTICATED', '2 UNAUTHENTICATED']);
});

it('a watch waits longer each time before it uses a new token of a service that accepts each one once', async () => {
  vi.restoreAllMocks();
  vi.spyOn(Math, 'random').mockReturnValue(1);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  fetchToken.mockImplementation(async () => crypto.randomUUID());
  onTestFinished(() => void fetchToken.mockImplementation(async () => 'second'));
  const { sinks, subscribe } = socketSubscriptions();
  const watched = withRenewal(subscribe, session, () => session.credentials().authorization);
  const onComplete = vi.fn();
  const stop = watched({ query: '' }, { next() {}, error() {}, complete: onComplete });
  /** Accepts and refuses the token, after the watch has run for this time. Returns after how long it began again (ms). */
  async function refuse(afterMs: number): Promise<number> {
    await vi.advanceTimersByTimeAsync(afterMs);
    const before = sinks.length;
    const sink = sinks.at(-1);
    const next = (status: Status) =>
      sink?.next({ data: { malaysiaStatusChanged: { documentId: '1', ...status } } });
    next({ state: 'QUEUED', isFinal: false });
    next({ state: 'UNKNOWN', isFinal: false, problem: { code: 'UNAUTHENTICATED' } });
    sink?.complete();
    const from = performance.now();
    await vi.advanceTimersByTimeAsync(0);
    while (sinks.length === before) await vi.advanceTimersToNextTimerAsync();
    return performance.now() - from;
  }
  const waits: number[] = [];
  for (let count = 0; count < 9; count += 1) waits.push(await refuse(0));
  expect(waits).toEqual([0, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  expect(await refuse(30_000)).toBe(0);
  expect(fetchToken).toHaveBeenCalledTimes(10);
  stop();
  expect(vi.getTimerCount()).toBe(0);
  expect(onComplete).not.toHaveBeenCalled();
});

it.each<[string, (sink: SocketSink) => void]>([
  [
    'an error of a router',
    (sink) => sink.next({ errors: [{ message: 'm', extensions: { code: 'X' } }] } as never),
  ],
  ['an error that is not an object', (sink) => sink.next({ errors: [null] } as never)],
  ['a socket that was closed for good', (sink) => sink.error(new CloseEvent('close', { code: 4400 }))],
])('a watch that ends with %s has changed nothing', (_title, end) => {
  const { sinks, subscribe } = socketSubscriptions();
  const words: string[] = [];
  const next = ({ errors }: { readonly errors?: unknown }) => words.push(messageOf(errors));
  const error = (event: unknown) => words.push(messageOf(event));
  withRenewal(subscribe, session, () => '')({ query: '' }, { next, error, complete() {} });
  end(sinks[0] as SocketSink);
  expect(words).toEqual([expect.stringMatching(/Nothing was done|You can try again/)]);
});

it.each([[null], [[]]])('a status next to %j in place of errors has no errors', (errors) => {
  const { sinks, subscribe } = socketSubscriptions();
  const next = vi.fn();
  withRenewal(subscribe, session, () => '')({ query: '' }, { next, error() {}, complete() {} });
  const data = { malaysiaStatusChanged: { documentId: '1', state: 'QUEUED' } };
  sinks[0]?.next({ data, errors } as never);
  expect(next.mock.calls).toEqual([[{ data }]]);
});

it('a watch that is stopped during a renewal reports nothing', async () => {
  const { promise, reject } = Promise.withResolvers<string>();
  fetchToken.mockImplementationOnce(() => promise);
  gateway.will(stream(refused('1'), complete));
  const { events } = watch('1');
  await expect.poll(() => fetchToken).toHaveBeenCalledTimes(1);
  stops[0]?.();
  reject(new Error('no session'));
  await session.renewAfter('Bearer first');
  expect(events).toEqual([]);
});

/** A socket whose results a test sends. */
function socketSubscriptions() {
  const sinks: SocketSink[] = [];
  const subscribe: Socket['subscribe'] = (_operation, sink) => {
    sinks.push(sink);
    return () => {};
  };
  return { sinks, subscribe };
}

/** Live statuses, the ids of their open subscriptions, oldest first, and the sinks of all that they have opened. */
function liveStatuses(
  onSubscribe: (sink: SubscriptionSink<any>, documentIds: readonly string[]) => void = () => {},
) {
  const open = new Map<string, SubscriptionSink<any>>();
  const sinks: SubscriptionSink<any>[] = [];
  const subscribe = ((_document, { documentIds }: { documentIds: string[] }, sink) => {
    open.set(documentIds.join(), sink);
    sinks.push(sink);
    onSubscribe(sink, documentIds);
    return () => open.delete(documentIds.join());
  }) as Subscribe;
  const live = createLiveStatuses(subscribe);
  stops.push(() => live.set([]));
  const report = (ids: string, documentId: string, status: Partial<Status> = {}) => {
    const malaysiaStatusesChanged = { documentId, state: 'QUEUED', problem: null, ...status };
    open.get(ids)?.next({ data: { malaysiaStatusesChanged } });
  };
  /** Refuses a subscription for 20 seconds. */
  const refuse = (ids: string) => {
    const extensions = { code: 'RATE_LIMITED', retryable: true, sideEffect: 'NONE', retryAfterMs: 20_000 };
    open.get(ids)?.next({ errors: [{ message: 'm', extensions }] });
    open.get(ids)?.complete?.();
    open.delete(ids);
  };
  return { live, sinks, report, refuse, lists: () => [...open.keys()] };
}

it('live statuses call back once for a change, also who stops and begins to listen in the call', () => {
  const { live, report } = liveStatuses();
  let calls = 0;
  let stop = () => {};
  const listen = () => {
    calls += 1;
    if (calls > 5) throw new Error('It is called again and again.');
    stop();
    stop = live.onChange(listen);
  };
  stop = live.onChange(listen);
  const never = vi.fn();
  live.onChange(() => stopNever());
  const stopNever = live.onChange(never);
  live.set(['1']);
  report('1', '1');
  expect(calls).toBe(1);
  expect(never).not.toHaveBeenCalled();
});

it('live statuses subscribe again no sooner than an error requires', async () => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const { live, sinks, refuse } = liveStatuses();
  live.set(['1']);
  refuse('1');
  await vi.advanceTimersByTimeAsync(19_999);
  expect(sinks).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(sinks).toHaveLength(2);
});

it('an event stream that is refused for a time begins no sooner', async () => {
  const extensions = { code: 'RATE_LIMITED', retryable: true, sideEffect: 'NONE', retryAfterMs: 500 };
  const times: number[] = [];
  const timed =
    (answer: Behaviour): Behaviour =>
    (request, response) => {
      times.push(performance.now());
      answer(request, response);
    };
  const refusal = json(503, { errors: [{ message: 'm', extensions }] });
  gateway.will(timed(refusal), timed(stream(validated('1'), complete)));
  await watch('1').ended;
  const [first = 0, second = 0] = times;
  expect(second - first).toBeGreaterThan(495);
});

it('live statuses watch a list that grows by one document each time with few subscriptions', () => {
  const isFinal = (id: string) => Number(id) % 10 === 0;
  let watched = 0;
  const { live, lists } = liveStatuses(({ next }, documentIds) => {
    watched += documentIds.length;
    for (const documentId of documentIds) {
      const malaysiaStatusesChanged = { documentId, state: 'QUEUED', isFinal: isFinal(documentId) };
      next({ data: { malaysiaStatusesChanged } });
    }
  });
  const ids: string[] = [];
  for (let count = 1; count <= 1_000; count += 1) {
    ids.push(`${count}`);
    live.set(ids);
  }
  const open = lists().map((list) => list.split(','));
  expect(open.length).toBeLessThan(25);
  expect(Math.max(...open.map(({ length }) => length))).toBeLessThanOrEqual(100);
  expect(watched).toBeLessThan(8 * ids.length);
  const notFinal = open.flat().filter((id) => !isFinal(id));
  expect(notFinal.sort()).toEqual(ids.filter((id) => !isFinal(id)).sort());
  expect(live.current().size).toBe(1_000);
  live.set([]);
  expect(lists()).toEqual([]);
});

it('live statuses show no older state of a final document while its subscription is replaced', () => {
  const { live, report } = liveStatuses();
  live.set(['1', '2']);
  report('1,2', '1');
  live.set(['1', '2', '3', '4']);
  report('1,2', '1', { state: 'VALIDATED', isFinal: true });
  report('1,2,3,4', '1', { state: 'SUBMITTED', isFinal: false });
  expect(live.current().get('1')?.state).toBe('VALIDATED');
});

it('live statuses have one subscription for a document that is set again while a change is reported', () => {
  const { live, report, lists } = liveStatuses();
  live.set(['1']);
  report('1', '1');
  const stop = live.onChange(() => {
    stop();
    live.set(['2', '3']);
  });
  live.set(['2']);
  for (const ids of lists()) for (const id of ids.split(',')) report(ids, id);
  expect(lists().join().split(',').sort()).toEqual(['2', '3']);
});

it('live statuses call all who listen when one of these functions throws, which is reported', async () => {
  const reported = reportedErrors();
  const { live, report } = liveStatuses();
  const fault = new Error('A fault of the page.');
  live.onChange(() => {
    throw fault;
  });
  const onChange = vi.fn();
  live.onChange(onChange);
  live.set(['1']);
  report('1', '1');
  expect(onChange).toHaveBeenCalledTimes(1);
  await expect.poll(() => reported).toEqual([fault]);
});

it.each([
  ['ends without an event', undefined],
  ['ends after its first event', { state: 'QUEUED', problem: null }],
  [
    'cannot be watched for now',
    { state: 'UNKNOWN', problem: { code: 'RATE_LIMITED', message: 'm', retryable: true } },
  ],
])('live statuses wait longer each time before they subscribe again to what %s', async (_what, status) => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(1);
  const malaysiaStatusesChanged = { documentId: '1', isFinal: false, ...status };
  const { live, sinks } = liveStatuses((sink) =>
    queueMicrotask(() => {
      if (status) sink.next({ data: { malaysiaStatusesChanged } });
      sink.complete?.();
    }),
  );
  live.set(['1']);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(sinks.length).toBeLessThan(8);
});

it('live statuses subscribe no more when the token is refused, and report that of each document', () => {
  const { live, sinks } = liveStatuses();
  live.set(['1', '2', '3']);
  const extensions = { code: 'UNAUTHENTICATED', retryable: false, sideEffect: 'NONE' };
  sinks[0]?.next({ errors: [{ message: 'm', extensions }] });
  sinks[0]?.complete?.();
  const codes = [...live.current()].map(([id, { problem }]) => [id, problem?.code]);
  expect(codes).toEqual(['1', '2', '3'].map((id) => [id, 'UNAUTHENTICATED']));
  expect(sinks).toHaveLength(1);
});

it('live statuses go on after an event with an error next to the status', async () => {
  vi.useFakeTimers();
  const { live, sinks, report } = liveStatuses();
  live.set(['1']);
  const extensions = { code: 'INTERNAL_SERVER_ERROR', retryable: false, sideEffect: 'NONE' };
  const malaysiaStatusesChanged = { documentId: '1', state: 'QUEUED', problem: null, expected: null };
  sinks[0]?.next({ data: { malaysiaStatusesChanged }, errors: [{ message: 'm', extensions }] });
  report('1', '1', { state: 'SUBMITTED' });
  sinks[0]?.complete?.();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sinks).toHaveLength(2);
  expect(live.current().get('1')?.state).toBe('SUBMITTED');
});

describe('an operation that is sent again', () => {
  const listenersOfPage = () => getEventListeners(page, 'online').length;
  let page: EventTarget;
  beforeEach(() => {
    page = new EventTarget();
    for (const method of ['addEventListener', 'removeEventListener'] as const)
      vi.stubGlobal(method, page[method].bind(page));
    Object.defineProperty(navigator, 'onLine', { value: false, configurable: true });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
    Object.defineProperty(navigator, 'onLine', { value: undefined, configurable: true });
  });

  it('waits until the browser is online again', async () => {
    let isOver = false;
    const waiting = waitToRepeat(0).then(() => {
      isOver = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isOver).toBe(false);
    page.dispatchEvent(new Event('online'));
    await waiting;
    expect(listenersOfPage()).toBe(0);
  });

  it('waits five minutes for the browser to be online, and leaves no listener', async () => {
    vi.useFakeTimers();
    const waiting = waitToRepeat(0);
    expect(listenersOfPage()).toBe(1);
    vi.advanceTimersByTime(5 * 60_000);
    await waiting;
    expect(listenersOfPage()).toBe(0);
  });

  it('leaves no timer and no listener when it is aborted before', async () => {
    vi.useFakeTimers();
    const cancel = new AbortController();
    const waiting = waitToRepeat(30_000, cancel.signal);
    cancel.abort(new Error('The page is closed.'));
    await expect(waiting).rejects.toThrow('The page is closed.');
    expect([vi.getTimerCount(), listenersOfPage()]).toEqual([0, 0]);
    expect(getEventListeners(cancel.signal, 'abort')).toEqual([]);
  });
});
