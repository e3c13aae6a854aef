/** What many subscriptions do at the same time, and how much of it one turn of the event loop does. */
import { beforeEach, expect, it, vi } from 'vitest';
import { OperationInProgress } from '../../src/operation/operation-in-progress.ts';
import { gatewayWith } from '../support/lifetimes.ts';
import { metricOf } from '../support/metric.ts';
import * as does from '../support/service.ts';
import { connectedSocket } from '../support/websocket.ts';
import { pass, turnCounts } from '../support/work.ts';

/** Of the running test. Each takes 4 ms, of 10 ms that a turn has. */
let executions: ReturnType<typeof turnCounts>;
let ends: ReturnType<typeof turnCounts>;

vi.mock(import('../../src/operation/executor/planned-executor.ts'), async (importOriginal) => {
  const original = await importOriginal();
  return {
    ...original,
    executePlanned(args) {
      executions.count();
      pass(4);
      return original.executePlanned(args);
    },
  };
});

const { end } = OperationInProgress.prototype;
OperationInProgress.prototype.end = function (events) {
  ends.count();
  pass(4);
  end.call(this, events);
};

const { service, gateway } = await gatewayWith({ MALAYSIA_POLL_MIN_MS: '100', MALAYSIA_POLL_MAX_MS: '100' });

const subscribers = 12;

beforeEach(async () => {
  await expect.poll(() => metricOf(gateway, 'folio_subscriptions')).toBe(0);
  service.will(does.json(200, { status: 'queued' }));
  [executions, ends] = [turnCounts(), turnCounts()];
});

/** Subscribes to one document, changes it, and counts the executions of the change. */
async function change(documentId: string, aliasOf: (index: number) => string) {
  const socket = await connectedSocket(gateway);
  const ids = Array.from({ length: subscribers }, (_, index) => String(index));
  for (const id of ids) {
    const field = `malaysiaStatusChanged(documentId: "${documentId}")`;
    socket.subscribe(id, `subscription { ${field} { ${aliasOf(Number(id))}: state } }`);
    await socket.messageOf(id);
  }
  executions = turnCounts();
  service.will(does.json(200, { status: 'submitted' }));
  const states = await Promise.all(
    ids.map(async (id) => (await socket.messageOf(id)).payload.data.malaysiaStatusChanged),
  );
  socket.close();
  expect(states).toEqual(ids.map((id) => ({ [aliasOf(Number(id))]: 'SUBMITTED' })));
  return executions;
}

it('executes a change for many selections in several turns of the event loop', async () => {
  const { all, mostOfTurn } = await change('1', (index) => `a${index}`);
  expect(all()).toBe(subscribers);
  expect(mostOfTurn()).toBeLessThan(subscribers / 2);
});

it('executes a change once for all subscribers with the same selection', async () => {
  expect((await change('2', () => 'a')).all()).toBe(1);
});

const watchOf = (documentId: string) =>
  `subscription { malaysiaStatusChanged(documentId: "${documentId}") { state } }`;

it('ends the subscriptions to a document that callers can no longer watch in several turns of the event loop', async () => {
  const socket = await connectedSocket(gateway);
  const ids = Array.from({ length: subscribers }, (_, index) => String(index));
  for (const id of ids) {
    socket.subscribe(id, watchOf('3'));
    await socket.messageOf(id);
  }
  service.will(does.json(403, {}));
  for (const id of ids) {
    expect((await socket.messageOf(id)).payload.errors[0].extensions.code).toBe('FORBIDDEN');
    expect((await socket.messageOf(id)).type).toBe('complete');
  }
  socket.close();
  expect(ends.all()).toBe(subscribers);
  expect(ends.mostOfTurn()).toBeLessThan(subscribers / 2);
});

it('ends the subscriptions of sockets that close at the same time in several turns of the event loop', async () => {
  const sockets = await Promise.all(Array.from({ length: subscribers }, () => connectedSocket(gateway)));
  for (const socket of sockets) {
    socket.subscribe('1', watchOf('4'));
    await socket.message();
  }
  for (const { raw } of sockets) raw.terminate();
  await expect.poll(ends.all).toBe(subscribers);
  expect(ends.mostOfTurn()).toBeLessThan(subscribers / 2);
  await expect.poll(() => metricOf(gateway, 'folio_watches')).toBe(0);
});
