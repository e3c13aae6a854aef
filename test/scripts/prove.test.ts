/** `npm run prove`: what a service shows about each assumption of docs/service.md. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { assumptions } from '../../scripts/prove/assumptions.ts';
import { contract } from '../../scripts/prove/contract.ts';
import { decidable, prove } from '../../scripts/prove/prove.ts';
import { run } from '../../scripts/prove.ts';
import { assumptionNames } from '../../src/sandbox/assumptions.ts';
import type { SandboxParts } from '../../src/sandbox/endpoint.ts';
import { createEndpoints } from '../../src/sandbox/named-endpoints.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { fc } from '../support/fast-check.ts';
import { forFile, forTest, temporaryFolder } from '../support/lifetimes.ts';
import { printed } from '../support/printed.ts';
import { outputOf } from '../support/process.ts';
import * as does from '../support/service.ts';

/** Moves on with each reading, so that what an import becomes does not depend on the speed of the machine. */
let now = Date.now();
const sandbox = forFile(await startSandbox({ now: () => (now += 2_500) }));
/** Nothing listens there. A port that was free a moment ago may be that of another test's server by now. */
const unreachableUrl = 'http://127.0.0.1:2';
beforeEach(() => {
  sandbox.assumptions.set({ wrong: [] });
  sandbox.calls.clear();
});

const options = { key: 'prove-key', token: 'prove-token', mexico: '1001', malaysia: '2002', card: undefined };
const proved = (queue: string | undefined, service = sandbox.url) =>
  prove({ ...options, service, queue, waitMs: 5_000, pauseMs: 10 });

const idsWith = (all: readonly { id: string; verdict: string }[], verdict: string) =>
  all.filter((each) => each.verdict === verdict).map(({ id }) => id);

describe('the assumptions about the service', () => {
  it('have names of their own, and a switch of the sandbox for each that a call can decide', () => {
    const ids = assumptions.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining([...decidable.keys()]));
    expect(assumptionNames.toSorted()).toEqual([...decidable.keys()].toSorted());
    expect(decidable.size).toBeGreaterThan(30);
  });

  it('hold against the sandbox, each that a call can decide', async () => {
    const all = await proved('77');
    expect(all.map(({ id }) => id)).toEqual(assumptions.map(({ id }) => id));
    expect(idsWith(all, 'wrong')).toEqual([]);
    expect(idsWith(all, 'holds').toSorted()).toEqual([...decidable.keys()].toSorted());
  });

  it.each(assumptionNames)('is found wrong, and no other: %s', async (name) => {
    sandbox.assumptions.set({ wrong: [name] });
    expect(idsWith(await proved('77'), 'wrong')).toEqual([name]);
  });

  it('are each found wrong or left undecided when several are wrong, and no other is', async () => {
    // Of imports with amounts as texts the sandbox returns an example document, whose status has moved on.
    const names = assumptionNames.filter((name) => name !== 'number-amounts');
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.constantFrom(...names), { minLength: 2, maxLength: 4 }),
        async (wrong) => {
          sandbox.assumptions.set({ wrong });
          const all = await proved('77');
          expect(idsWith(all, 'wrong').filter((id) => !wrong.includes(id))).toEqual([]);
          expect(idsWith(all, 'holds').filter((id) => wrong.includes(id))).toEqual([]);
        },
      ),
      { seed: 2_211, numRuns: 6 },
    );
  });

  it('are proved by reads alone where no queue is named', async () => {
    const all = await proved(undefined);
    expect(sandbox.calls.entries.filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(idsWith(all, 'holds').every((id) => decidable.get(id) === 'read')).toBe(true);
    const undecided = all.filter(({ because }) => because === 'needs --queue and --write');
    expect(undecided.map(({ id }) => id).toSorted()).toEqual(
      [...decidable.keys()].filter((id) => decidable.get(id) === 'write').toSorted(),
    );
  });

  it('are written into the named queue alone', async () => {
    await proved('prove-queue');
    const written = sandbox.calls.entries.filter(
      ({ method, endpoint }) => method === 'POST' && !/Group|export/.test(String(endpoint)),
    );
    expect(written.length).toBeGreaterThan(7);
    for (const { qid, queueId } of written) expect(qid ?? queueId).toBe('prove-queue');
  });

  it('are not decided by a service that refuses every call', async () => {
    const service = forTest(await does.startService(does.json(403, { message: 'No access.' })));
    const all = await proved('77', service.url);
    // A refusal of a call without credentials and the text of a refusal are seen all the same.
    expect(idsWith(all, 'wrong')).toEqual(['malaysia-credentials']);
    expect(idsWith(all, 'holds')).toEqual(['id-look-ups', 'errors-in-200', 'error-texts']);
  });
});

describe('npm run prove', () => {
  const runInProcess = (...args: string[]) => printed(() => run(...args));
  const service = () => ['--service', sandbox.url, '--key', 'prove-key', '--token', 'Bearer prove-token'];

  it('ends with 0 when nothing is wrong, prints JSON for a machine, and writes the contract', async () => {
    const file = join(temporaryFolder(), 'contract.json');
    const { status, output } = await runInProcess(...service(), '--json', '--contract', file);
    const { counts, assumptions: all } = JSON.parse(output);
    expect([status, counts.wrong, all.length]).toEqual([0, 0, assumptions.length]);
    expect(counts.holds).toBeGreaterThan(10);
    expect(output).not.toContain('prove-token');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(contract);
  });

  it('ends with 1 when an assumption is wrong, and prints what changes it', async () => {
    sandbox.assumptions.set({ wrong: ['status-words'] });
    // npm prints arguments.
    const credentials = { FOLIO_API_KEY: 'prove-key', FOLIO_ACCESS_TOKEN: 'Bearer prove-token' };
    const parameters = ['scripts/prove.ts', '--service', sandbox.url];
    const env = { ...process.env, ...credentials };
    const { code, text: output } = await outputOf(spawn(process.execPath, parameters, { env }));
    expect(code).toBe(1);
    expect(output).toContain('WRONG  status-words: the word "diterima" is not known');
    expect(output).toContain('change: `MALAYSIA_STATUS_WORDS`');
  });

  it('tries a variable as it is set', async () => {
    sandbox.assumptions.set({ wrong: ['status-words'] });
    vi.stubEnv('MALAYSIA_STATUS_WORDS', 'diterima=QUEUED');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(idsWith(await proved(undefined), 'wrong')).toEqual([]);
  });

  const unreachable = ['--service', unreachableUrl];
  it.each([
    ['without a service', [], '--service, FOLIO_API_KEY and FOLIO_ACCESS_TOKEN are required.'],
    ['with --write and no queue', [...unreachable, '--write'], '--write needs --queue'],
    [
      'with a wait that is not a number',
      [...unreachable, '--wait', '2m'],
      '--wait must be a number of seconds',
    ],
    ['when the service cannot be reached', unreachable, 'ECONNREFUSED'],
  ])('ends with 2 %s', async (_what, args, message) => {
    const { status, errors } = await runInProcess(...args, '--key', 'k', '--token', 't');
    expect([status, errors]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe('the contract (Pact, version 4)', () => {
  const { interactions, metadata } = JSON.parse(JSON.stringify(contract)) as any;

  /** The values at a path of a matching rule: `$.a[*].b`, `$.a[0]`. */
  function valuesAt(path: string, body: unknown): unknown[] {
    const steps = [...path.matchAll(/\.([^.[]+)|\[(\d+|\*)\]/g)].map(([, name, index]) => name ?? index);
    return steps.reduce<unknown[]>(
      (values, step) =>
        values.flatMap((value: any) => (step === '*' ? [...value] : [value?.[step as string]])),
      [body],
    );
  }

  const kindOf = (value: unknown) => (Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value);

  function matches({ match }: { match: string }, example: unknown, actual: unknown): boolean {
    if (match === 'integer') return Number.isInteger(actual);
    return kindOf(actual) === (match === 'number' ? 'number' : kindOf(example));
  }

  it('states its version and an interaction for each endpoint', () => {
    expect(metadata).toEqual({ pactSpecification: { version: '4.0' } });
    const endpoints = createEndpoints({} as SandboxParts);
    const stated = endpoints.filter(({ method, path }) =>
      interactions.some(({ request }: any) => request.method === method && path.test(request.path)),
    );
    expect(stated.map(({ name }) => name)).toEqual(endpoints.map(({ name }) => name));
  });

  it.each<[string, any]>(interactions.map((each: any) => [each.description, each]))(
    'is kept by the sandbox: %s',
    async (_description, { request, response }) => {
      const send = ({ method, path, headers, body }: any) => {
        const content = body?.encoded ? Buffer.from(body.content, body.encoded) : body?.content;
        const isObject = typeof content === 'object' && !Buffer.isBuffer(content);
        const single = Object.entries(headers).map(([name, values]: any) => [name, values[0]]);
        return fetch(sandbox.url + path, {
          method,
          headers: Object.fromEntries(single),
          ...(content && { body: isObject ? JSON.stringify(content) : content }),
        });
      };
      // The state "a document in the tab COMPLETED".
      const { scanDocuments } = (await (await send(interactions[0].request)).json()) as any;
      if (request.body?.content?.docIds) request.body.content.docIds = [scanDocuments.docId];
      const actual = await send(request);
      const rules = response.matchingRules;
      if (rules.status) expect(Math.floor(actual.status / 100)).toBe(4);
      else expect(actual.status).toBe(response.status);
      if (!response.body) return;
      expect(actual.headers.get('content-type')).toMatch(
        new RegExp(rules.header['Content-Type'].matchers[0].regex),
      );
      const body = await actual.json();
      for (const [path, { matchers }] of Object.entries<any>(rules.body)) {
        const [example] = valuesAt(path, response.body.content);
        for (const value of valuesAt(path, body))
          expect([path, value, matches(matchers[0], example, value)]).toEqual([path, value, true]);
      }
    },
  );
});
