/** One change that many subscriptions receive: how many of its executions one turn of the event loop makes. */
import { beforeEach, expect, it, vi } from 'vitest';
import { startTestGateway } from '../support/gateway.ts';
import { forFile, serviceForFile } from '../support/lifetimes.ts';
import * as does from '../support/service.ts';
import { connectedSocket } from '../support/websocket.ts';
import { work } from '../support/work.ts';

/** Each takes 4 ms, of 10 ms that a turn has. */
const executions = vi.hoisted(() => ({ all: 0, ofTurn: 0, mostOfTurn: 0 }));

vi.mock(import('../../src/operation/executor/planned-executor.ts'), async (importOriginal) => {
  const original = await importOriginal();
  return {
    ...original,
    executePlanned(args) {
      if (executions.ofTurn === 0) setImmediate(() => (executions.ofTurn = 0));
      executions.all += 1;
      executions.ofTurn += 1;
      executions.mostOfTurn = Math.max(executions.mostOfTurn, executions.ofTurn);
      work(4);
      return original.executePlanned(args);
    },
  };
});

const service = await serviceForFile();
const gateway = forFile(
  await startTestGateway({
    UPSTREAM_URL: service.url,
    MALAYSIA_POLL_MIN_MS: '100',
    MALAYSIA_POLL_MAX_MS: '100',
  }),
);

const subscribers = 20;

beforeEach(() => service.will(does.json(200, { status: 'queued' })));

/** Subscribes to one document, changes it, and counts the executions of the change. */
async function change(documentId: string, aliasOf: (index: number) => string) {
  const socket = await connectedSocket(gateway);
  const ids = Array.from({ length: subscribers }, (_, index) => String(index));
  for (const id of ids) {
    const field = `malaysiaStatusChanged(documentId: "${documentId}")`;
    socket.subscribe(id, `subscription { ${field} { ${aliasOf(Number(id))}: state } }`);
    await socket.messageOf(id);
  }
  Object.assign(executions, { all: 0, ofTurn: 0, mostOfTurn: 0 });
  service.will(does.json(200, { status: 'submitted' }));
  const states = await Promise.all(
    ids.map(async (id) => (await socket.messageOf(id)).payload.data.malaysiaStatusChanged),
  );
  socket.close();
  expect(states).toEqual(ids.map((id) => ({ [aliasOf(Number(id))]: 'SUBMITTED' })));
  return { ...executions };
}

it('executes a change for many selections in several turns of the event loop', async () => {
  const { all, mostOfTurn } = await change('1', (index) => `a${index}`);
  expect(all).toBe(subscribers);
  expect(mostOfTurn).toBeLessThan(subscribers / 2);
});

it('executes a change once for all subscribers with the same selection', async () => {
  expect((await change('2', () => 'a')).all).toBe(1);
});
