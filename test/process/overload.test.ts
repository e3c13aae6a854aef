/** More requests of honest callers than the process has time for. Compares callers with each other, not with a clock. */
import { Agent, request as send } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { withKey } from '../support/gateway.ts';
import { forFile } from '../support/lifetimes.ts';
import { startProcess } from '../support/process.ts';

/** The default. */
const readDeadlineMs = 10_000;
/** The sandbox runs in the same process: the two share its time. */
const { url } = forFile(await startProcess({ NODE_OPTIONS: '--max-old-space-size=256', LOG_LEVEL: 'error' }));

interface Outcome {
  readonly status: number;
  readonly ms: number;
  readonly error:
    | { readonly code?: string; readonly sideEffect?: string; readonly bound?: string }
    | undefined;
  readonly retryAfter: string | undefined;
}

/** Calm callers have connections of their own. About 700 requests may wait. */
const agents = {
  calm: new Agent({ keepAlive: true }),
  others: new Agent({ keepAlive: true, maxSockets: 1_000 }),
};

/** A read whose result takes milliseconds to build. */
const aliases = Array.from({ length: 30 }, (_, index) => `a${index}: result b${index}: documentId`).join(' ');
const fields = Array.from(
  { length: 10 },
  (_, at) => `d${at}: mexicoValidation(by: { documentId: "1001" }) { ...S }`,
);
const query = `{ ${fields.join(' ')} } fragment S on MexicoValidation { ${aliases} }`;

function ask(caller: string): Promise<Outcome> {
  let startedAt = 0;
  const headers = {
    'content-type': 'application/json',
    accept: 'application/graphql-response+json',
    ...withKey(caller),
    authorization: `Bearer ${caller}`,
  };
  const agent = caller.startsWith('calm') ? agents.calm : agents.others;
  return new Promise((resolve, reject) => {
    const outgoing = send(url, { method: 'POST', headers, agent }, async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      const { errors } = JSON.parse(text);
      const retryAfter = response.headers['retry-after'];
      const ms = performance.now() - startedAt;
      resolve({ status: response.statusCode ?? 0, ms, error: errors?.[0]?.extensions, retryAfter });
    });
    outgoing.once('socket', () => {
      startedAt = performance.now();
    });
    outgoing.on('error', reject).end(JSON.stringify({ query }));
  });
}

it('refuses busy callers and newcomers, loses no request of a calm one, and is normal again soon', async () => {
  const calm = Array.from({ length: 10 }, (_, index) => `calm-${index}`);
  const busy = Array.from({ length: 10 }, (_, index) => `busy-${index}`);
  for (const caller of [...calm, ...busy]) expect((await ask(caller)).status).toBe(200);
  const calibration = performance.now();
  await Promise.all(Array.from({ length: 100 }, (_, id) => ask(busy[id % busy.length] as string)));
  let capacity = 100_000 / (performance.now() - calibration);

  // Five times the capacity for 1.2 s, and on until the first refusal: other processes may slow the start down.
  const flood: Promise<Outcome>[] = [];
  const newcomers: Promise<Outcome>[] = [];
  let isOver = false;
  /** One request after another, with a pause after each. */
  const oneByOne = async (caller: string) => {
    const outcomes: Outcome[] = [];
    for (; !isOver; await sleep(200)) outcomes.push(await ask(caller));
    return outcomes;
  };
  const ofCalm = Promise.all(calm.map(oneByOne));
  const startedAt = performance.now();
  let sent = 0;
  let ended = 0;
  let isOneRefused = false;
  const countEnd = (outcome: Outcome) => {
    ended += 1;
    isOneRefused ||= outcome.status !== 200;
    return outcome;
  };
  for (let past = 0; past < 1_200 || (!isOneRefused && past < 10_000); past = performance.now() - startedAt) {
    // Other processes may have slowed the first measurement down.
    if (past > 500) capacity = Math.max(capacity, (ended * 1_000) / past);
    for (; sent < (5 * capacity * past) / 1_000; sent += 1) {
      if (sent % 4 === 0) newcomers.push(ask(`new-${sent}`).then(countEnd));
      else flood.push(ask(busy[sent % busy.length] as string).then(countEnd));
    }
    await sleep(5);
  }
  isOver = true;
  const calmOutcomes = (await ofCalm).flat();
  const busyOutcomes = await Promise.all(flood);
  const newOutcomes = await Promise.all(newcomers);
  const isServed = ({ status, error }: Outcome) => status === 200 && error === undefined;

  expect(calmOutcomes.filter((outcome) => !isServed(outcome))).toEqual([]);
  const outcomes = [...calmOutcomes, ...busyOutcomes, ...newOutcomes];
  const refused = outcomes.filter(({ status }) => status !== 200);
  expect(refused.length).toBeGreaterThan(0);
  for (const { status, error, retryAfter } of refused) {
    expect([status, retryAfter, error]).toEqual([
      503,
      '1',
      expect.objectContaining({ code: 'RATE_LIMITED', sideEffect: 'NONE', retryable: true }),
    ]);
    expect(error?.bound).toMatch(/^admission/);
  }
  // Of those that started, few reach their deadline.
  const started = outcomes.filter(({ status }) => status === 200);
  const late = { code: 'UPSTREAM_TIMEOUT', sideEffect: 'NONE', retryable: true };
  for (const { error } of started) if (error) expect(error).toMatchObject(late);
  const times = started.map(({ ms }) => ms).sort((one, other) => one - other);
  expect(times[Math.floor(0.99 * times.length)]).toBeLessThan(readDeadlineMs);

  const areServed = async () => (await Promise.all([...busy, 'new-after'].map(ask))).every(isServed);
  await expect.poll(areServed).toBe(true);
});
