/** Calls whose callers leave, join and are stopped while their requests wait, start, respond and fail, in any order. */
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { expect, it, vi } from 'vitest';
import type { Caller } from '../../src/caller.ts';
import { createGroupEndpoint } from '../../src/features/group/group.api.ts';
import { statusEndpoint } from '../../src/features/malaysia/malaysia.api.ts';
import { shareOf } from '../../src/shares/bound-sizes.ts';
import { LaneBudget } from '../../src/shares/lane-budget.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { Cancellation } from '../../src/tools/cancellation.ts';
import type { StreamedBody } from '../../src/upstream/call/call.ts';
import { createUpstreamClient } from '../../src/upstream/client.ts';
import { fc } from '../support/fast-check.ts';
import { holder, sharesWith } from '../support/shares.ts';

const owners = [holder('alice'), holder('bob')];
const kinds = ['read', 'write', 'upload', 'poll'] as const;
type Kind = (typeof kinds)[number];

/** A request as undici handles it: it calls back until its end, and an abort is its end. */
class Exchange {
  readonly #handler: Dispatcher.DispatchHandler;
  readonly #controller: Dispatcher.DispatchController;
  readonly body: unknown;
  state: 'waiting' | 'started' | 'responding' | 'over' = 'waiting';
  isSent = false;
  status = 0;

  constructor(handler: Dispatcher.DispatchHandler, body: unknown) {
    this.#handler = handler;
    this.body = body;
    const abort = (error: Error) => this.fail(error);
    this.#controller = { abort, pause() {}, resume() {} } as unknown as Dispatcher.DispatchController;
  }

  start(): void {
    if (this.state !== 'waiting') return;
    this.state = 'started';
    this.#handler.onRequestStart?.(this.#controller, {});
    // It writes nothing of a request that is aborted there.
    this.isSent = (this.state as string) !== 'over';
  }

  respond(status: number): void {
    if (this.state !== 'started') return;
    this.state = 'responding';
    this.status = status;
    this.#handler.onResponseStart?.(this.#controller, status, { 'retry-after': '0' });
  }

  send(bytes: number): void {
    if (this.state === 'responding')
      this.#handler.onResponseData?.(this.#controller, Buffer.alloc(bytes, ' '));
  }

  end(): void {
    if (this.state !== 'responding') return;
    this.send(2);
    if ((this.state as string) === 'over') return;
    this.state = 'over';
    this.#handler.onResponseEnd?.(this.#controller, {});
  }

  fail(error: Error): void {
    if (this.state === 'over') return;
    this.state = 'over';
    this.#handler.onResponseError?.(this.#controller, error);
  }
}

/** An operation with one call. */
interface Operation {
  readonly kind: Kind;
  readonly signal: Cancellation;
  readonly onCall: ReturnType<typeof vi.fn>;
  readonly body: string;
  readonly settled: unknown[];
}

class World {
  readonly exchanges: Exchange[] = [];
  readonly operations: Operation[] = [];
  readonly #shares = sharesWith({ slots: shareOf('slots', 4), responses: shareOf('responses', 400_000) });
  readonly metrics = createMetrics('test');
  readonly joins = new LaneBudget(this.#shares.of.joins, this.#shares);
  readonly client = createUpstreamClient({
    baseUrl: new URL('http://service.example'),
    shares: this.#shares,
    dispatcher: {
      dispatch: ({ body }: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler) =>
        this.exchanges.push(new Exchange(handler, body)) > 0,
    } as Dispatcher,
    metrics: this.metrics,
    joins: this.joins,
    readDeadlineMs: 20_000,
    writeDeadlineMs: 20_000,
    scanDeadlineMs: 20_000,
    maxResponseBytes: 200_000,
    userAgent: 'test',
    onDrift() {},
  });

  call(kind: Kind, owner: number, id: number): void {
    const [signal, onCall] = [new Cancellation(), vi.fn()];
    const operation = {
      kind,
      signal,
      onCall,
      body: `{"name":"${this.operations.length}"}`,
      settled: [] as unknown[],
    };
    this.operations.push(operation);
    const observer = { onCall, onJoinedCall: onCall };
    const caller: Caller = { ...(owners[owner] as (typeof owners)[0]), requestId: 'r', signal, observer };
    const isWrite = kind === 'write' || kind === 'upload';
    const endpoint = isWrite ? createGroupEndpoint : { ...statusEndpoint, requiredCredentials: [] };
    const withToken = { ...caller, credentials: { ...caller.credentials, authorization: 'Bearer t' } };
    const body = kind === 'upload' ? anUpload() : operation.body;
    const call = {
      endpoint,
      ...(isWrite ? { body } : { parameters: { documentId: String(id) } }),
      decode: (json: unknown) => json,
      isPoll: kind === 'poll',
    };
    const settle = (result: unknown) => void operation.settled.push(result);
    this.client.call(withToken, call).then(settle, settle);
  }
}

function anUpload(): StreamedBody {
  return {
    open: () => Readable.from([Buffer.from('a file')]),
    hasStarted: () => false,
    bytesSent: () => 0,
    signal: new Cancellation(),
  };
}

type Step = (world: World) => void | Promise<void>;

const index = fc.nat({ max: 7 });
const exchangeStep = (step: (exchange: Exchange) => void) =>
  index.map(
    (at): Step =>
      ({ exchanges }) =>
        void exchanges
          .slice(at % (exchanges.length || 1))
          .slice(0, 1)
          .forEach(step),
  );
const newest = (step: (exchange: Exchange) => void) =>
  fc.constant<Step>(({ exchanges }) => exchanges.slice(-1).forEach(step));

const steps = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(fc.constantFrom(...kinds), fc.nat({ max: 1 }), fc.nat({ max: 1 })).map(
      ([kind, owner, id]): Step =>
        (world) =>
          world.call(kind, owner, id),
    ),
  },
  { weight: 4, arbitrary: fc.constant<Step>(async () => void (await nextTurn())) },
  {
    weight: 3,
    arbitrary: index.map(
      (at): Step =>
        ({ operations }) =>
          operations.at(-at)?.signal.abort('left'),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.oneof(
      exchangeStep((each) => each.start()),
      newest((each) => each.start()),
    ),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(index, fc.constantFrom(200, 200, 404, 500, 503))
      .chain(([, status]) => exchangeStep((each) => each.respond(status))),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(10, 80_000, 150_000, 300_000)
      .chain((bytes) => exchangeStep((each) => each.send(bytes))),
  },
  { weight: 3, arbitrary: exchangeStep((each) => each.end()) },
  { weight: 2, arbitrary: exchangeStep((each) => each.fail(new Error('lost'))) },
  { weight: 1, arbitrary: fc.constant<Step>((world) => world.client.stop()) },
);

it('each call settles once and nothing stays held, in whatever order callers leave and requests fail', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { maxLength: 60 }), async (taken) => {
      const world = new World();
      for (const step of taken) await step(world);
      for (const { signal } of world.operations) signal.abort('left');
      world.client.stop();
      // Nobody waits for the requests that were sent. undici ends the others once they have a connection.
      expect(world.exchanges.map(({ state }) => state)).not.toContain('started');
      expect(world.exchanges.map(({ state }) => state)).not.toContain('responding');
      for (let turn = 0; turn < 40; turn += 1) {
        for (const exchange of world.exchanges) {
          exchange.start();
          exchange.fail(new Error('lost'));
        }
        await nextTurn();
      }
      await world.client.settled();
      for (const { settled, onCall, body } of world.operations) {
        expect(settled).toHaveLength(1);
        expect(onCall.mock.calls.length).toBeLessThan(2);
        // Both say that nothing was done.
        const mayRefuse = (status: number) => status === 404 || status === 503;
        const sent = world.exchanges.filter((each) => each.body === body && each.isSent);
        if (sent.some(({ status }) => !mayRefuse(status)))
          expect(settled).not.toMatchObject([{ sideEffect: 'NONE' }]);
        expect(sent.length).toBeLessThan(2);
      }
      const { text } = await world.metrics.text({ isOpenMetrics: false });
      const held = text.split('\n').filter((line) => /^folio_service_calls_(in_flight|queued)/.test(line));
      expect(held.filter((line) => !line.endsWith(' 0'))).toEqual([]);
      expect([world.joins.held, world.client.responses.held]).toEqual([0, 0]);
    }),
    { numRuns: Number(process.env['RUNS'] ?? 200) },
  );
});
