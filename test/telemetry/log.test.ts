import { EventEmitter } from 'node:events';
import fs from 'node:fs';
import { join } from 'node:path';
import { GraphQLError } from 'graphql';
import { describe, expect, it } from 'vitest';
import { credentialHeaders } from '../../src/caller.ts';
import { createLog, type Log } from '../../src/telemetry/log.ts';
import { createLogOutput } from '../../src/telemetry/log-output.ts';
import { logPrintedLines } from '../../src/telemetry/log-printed-lines.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { forTest, temporaryFolder } from '../support/lifetimes.ts';
import { cpuClock } from '../support/work.ts';

const header = credentialHeaders.apiKey;
const apiKey = 'planted-key-4711';
const token = 'planted.token-0815';
const person = 'PLANTED PERSON 900101-14-5555';

describe('the log', () => {
  it('writes one JSON object per line, with the level as a word and the time in UTC', () => {
    const { log, lines } = aLog();
    log.info({ requestId: 'abcdefgh' }, 'answered');
    log.warn('twice');
    expect(lines()).toEqual([
      { level: 'info', time: expect.stringMatching(/Z$/), requestId: 'abcdefgh', msg: 'answered' },
      { level: 'warn', time: expect.stringMatching(/Z$/), msg: 'twice' },
    ]);
  });

  it('counts the lines of the levels error and fatal', async () => {
    const metrics = createMetrics('1.0.0');
    const errors = async () =>
      (await metrics.read()).find(({ name }) => name === 'folio_log_errors_total')?.values[0]?.value ?? 0;
    const { log } = aLog();
    const before = await errors();
    log.warn('warned');
    expect(await errors()).toBe(before);
    log.error({ err: new Error('a bug') }, 'connection event');
    log.child({}).fatal('uncaught');
    expect(await errors()).toBe(before + 2);
  });

  it('has of an error that a library prints its name, code and frames, and not its message', () => {
    const { log, lines } = aLog({ production: true });
    const methods = { ...console };
    forTest({ close: () => void Object.assign(console, methods) });
    logPrintedLines(log, new EventEmitter() as NodeJS.Process);
    console.error('failed:', Object.assign(new TypeError(person), { code: 'E_SENT', input: person }));
    console.warn('nothing to do');
    expect(lines()).toMatchObject([
      { level: 'error', text: 'failed:', err: { name: 'TypeError', code: 'E_SENT' } },
      { level: 'warn', text: 'nothing to do', msg: 'printed by a library' },
    ]);
    expect(JSON.stringify(lines())).not.toContain(person);
  });

  it('has no data of an error of GraphQL, or of what a library reports in place of an error', () => {
    const { log, lines } = aLog({ production: true });
    log.error({ err: { input: person } });
    log.warn({ err: new GraphQLError(person, { extensions: { input: person } }) });
    expect(lines()).toMatchObject([{ level: 'error' }, { level: 'warn', err: { name: 'GraphQLError' } }]);
    expect(JSON.stringify(lines())).not.toContain(person);
  });

  it('is written completely when it is drained during a write', async () => {
    const path = join(temporaryFolder(), 'log');
    const { destination, drain } = createLogOutput(fs.openSync(path, 'w'));
    destination.write('x'.repeat(40_000).concat('\n'));
    destination.write('last\n');
    await drain();
    expect(fs.readFileSync(path, 'utf8')).toMatch(/x\nlast\n$/);
  });

  it('leaves out lines below its level', () => {
    const { log, lines } = aLog({ level: 'warn' });
    log.info('not written');
    expect(lines()).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['headers', { headers: { [header.toUpperCase()]: apiKey, authorization: `Bearer ${token}` } }],
    ['flat header lists', { raw: [header, apiKey, 'authorization', token] }],
    ['pairs of headers', { raw: [[header, apiKey]] }],
    ['connectionParams', { connectionParams: { key: apiKey, headers: { token } } }],
    ['a nested member', { a: { b: [{ c: { d: { e: { [header]: apiKey } } } }] } }],
    ['a text', `sent authorization: Bearer ${token} and ${header}=${apiKey}`],
    ['a string that contains JSON', JSON.stringify({ [header]: apiKey, Authorization: token })],
    ['a JSON web token anywhere', { note: `eyJhbGciOi.${token}` }],
    ['the message of an error', { err: new Error(`refused Bearer ${token}`) }],
    ['the message of a cause', new Error('x', { cause: new Error(`${header}: ${apiKey}`) })],
    ['members of an error', Object.assign(new Error('x'), { body: apiKey, h: { token } })],
  ])('redacts credentials in %s', (_where, logged) => {
    const { log, text } = aLog();
    log.error(logged);
    expect(text()).not.toBe('');
    expect(text()).not.toContain(apiKey);
    expect(text()).not.toContain(token);
  });

  it('redacts a long text in linear time', () => {
    const { log } = aLog();
    const spentMs = cpuClock();
    log.error({ note: 'eyJ-'.repeat(20_000) });
    // In quadratic time 1 s.
    expect(spentMs()).toBeLessThan(200);
  });

  it('redacts credentials in the bindings of a child, and keeps the members next to a credential', () => {
    const { log, lines } = aLog();
    const headers = { [header]: apiKey, accept: '*/*' };
    log.child({ call: { headers } }).info({ headers, ms: 12 }, `the header ${header} came`);
    const redacted = { [header]: '[redacted]', accept: '*/*' };
    const msg = `the header ${header} came`;
    expect(lines()).toMatchObject([{ call: { headers: redacted }, headers: redacted, ms: 12, msg }]);
  });
});

describe('a logged error', () => {
  it('has its name, code, message, stack and causes in development', () => {
    const { log, lines } = aLog();
    const cause = Object.assign(new Error('connect'), { code: 'ECONNREFUSED', address: '10.0.0.1' });
    log.error({ err: new TypeError('no answer', { cause }) }, 'failed');
    const stack = expect.arrayContaining([expect.stringContaining('log.test.ts')]);
    const inner = { name: 'Error', code: 'ECONNREFUSED', message: 'connect', stack };
    expect(lines()[0]?.err).toEqual({ name: 'TypeError', message: 'no answer', stack, cause: inner });
  });

  it.each([
    ['as err', (log: Log, err: Error) => log.error({ err }, 'failed')],
    ['as err without a text', (log: Log, err: Error) => log.error({ err, requestId: 'abcdefgh' })],
    ['alone', (log: Log, err: Error) => log.error(err)],
  ])('has no message in production when it is logged %s', (_how, write) => {
    const { log, text, lines } = aLog({ production: true });
    write(log, new TypeError('Jane Doe\n    at home', { cause: new Error('Jane Doe') }));
    expect(text()).not.toMatch(/Jane Doe|at home/);
    expect(lines()[0]?.err).toMatchObject({ name: 'TypeError', cause: { name: 'Error' } });
  });

  it('has at most five causes, each like itself with at most 500 characters of its message', () => {
    const { log, text } = aLog();
    const error = new Error('long '.repeat(10_000));
    error.cause = error;
    log.error(error);
    const messages = text().matchAll(/"message":"([^"]*)"/g);
    expect([...messages].map(([, message]) => message?.length)).toEqual(Array(6).fill(500));
  });

  it('that is not an Error has only the type of the thrown value', () => {
    const { log, lines } = aLog();
    log.error({ err: apiKey }, 'failed');
    expect(lines()[0]?.err).toEqual({ name: 'thrown string' });
  });
});

function aLog(options: { level?: 'warn'; production?: boolean } = {}) {
  let text = '';
  const destination = {
    write: (line: string) => {
      text += line;
    },
  };
  const log = createLog({ level: 'info', production: false, ...options, destination });
  const lines = () =>
    text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Record<string, unknown>]));
  return { log, text: () => text, lines };
}
