import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { credentialHeaders } from '../../src/sandbox/credentials.ts';
import {
  alice,
  anInvoice,
  call,
  calls,
  exported,
  get,
  imported,
  mexico,
  post,
  sandbox,
  scan,
  scanForm,
  setFault,
  startedAt,
  useSandbox,
} from '../support/sandbox.ts';

useSandbox();

describe('a fault', () => {
  const scanned = async () => parse((await exported()).body.exportDocumentByDocIds.data).length - 1;

  it('applies in the order in which faults were set, as many times as requested', async () => {
    await setFault('status-500', 'createGroup', 2);
    await setFault('retry-after-7');
    const responses = [await post('/v1/groups', {}), await mexico('1001')];
    responses.push(await post('/v1/groups', {}), await post('/v1/groups', {}));
    expect(responses.map(({ status }) => status)).toEqual([500, 429, 500, 200]);
    expect(responses[1]?.headers.get('retry-after')).toBe('7');
    expect(await calls()).toMatchObject([
      { endpoint: 'createGroup', status: 500, fault: 'status-500' },
      { endpoint: 'mexicoStatus', status: 429, fault: 'retry-after-7' },
      { endpoint: 'createGroup', status: 500 },
      { endpoint: 'createGroup', status: 200 },
    ]);
  });

  it('applies until it is cleared when times is null', async () => {
    await setFault('status-403', 'mexicoStatus', null);
    for (let n = 0; n < 3; n++) expect((await mexico('1001')).status).toBe(403);
    await setFault('none', 'mexicoStatus');
    expect((await mexico('1001')).status).toBe(200);
  });

  it('that corrupts a response has the effect of the call, and one that replaces it does not', async () => {
    const scanWith = async (fault: string) => {
      await setFault(fault);
      const response = await fetch(`${sandbox.url}/v1/documents/scan/nric`, {
        ...{ method: 'POST', headers: alice, body: scanForm('card', `${fault}.png`) },
      });
      return [response.status, await response.text()] as const;
    };
    expect((await scanWith('mistyped-members'))[1]).toContain('"docId":"seven"');
    expect((await scanWith('unknown-words'))[1]).toContain('"status":"SANDBOX_WORD"');
    expect((await scanWith('slow-1'))[0]).toBe(200);
    expect((await scanWith('retry-after-3'))[0]).toBe(429);
    expect((await scanWith('status-204'))[0]).toBe(204);
    expect((await scanWith('status-500'))[0]).toBe(500);
    expect(await scanned()).toBe(3);
  });

  it('named reset closes the connection after the call had its effect', async () => {
    await setFault('reset');
    await expect(scan()).rejects.toThrow();
    expect((await calls()).map(({ status }) => status)).toEqual([null]);
    expect(await scanned()).toBe(1);
  });

  it('named hang or slow does not keep the sandbox from closing', async () => {
    const outcomes: Promise<unknown>[] = [];
    for (const fault of ['hang', 'slow-60000']) {
      await setFault(fault);
      outcomes.push(mexico('1001').catch((error: unknown) => error));
      while ((await calls()).length < outcomes.length);
    }
    await sandbox.close();
    for (const outcome of await Promise.all(outcomes)) expect(outcome).toBeInstanceOf(Error);
  });
});

describe('the sandbox', () => {
  it('in a separate process prints its address, and exits on SIGTERM with a slow call in progress', async () => {
    const node = join('node_modules', '.bin', 'node');
    const child = spawn(node, ['src/sandbox/main.ts', '--port', '0']);
    const ended = once(child, 'exit');
    const [line] = await once(createInterface(child.stdout), 'line');
    expect(line).toMatch(/^sandbox listening on http:\/\/127\.0\.0\.1:\d+$/);
    const address = String(line).slice('sandbox listening on '.length);
    const send = (path: string, init?: RequestInit) => fetch(address + path, init);
    await send('/sandbox/faults', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ endpoint: 'mexicoStatus', fault: 'slow-600000' }),
    });
    const outcome = send('/v2/einvoice/mexico/status/1001', { headers: alice }).catch((error) => error);
    while (!(await (await send('/sandbox/calls')).text()).includes('slow-600000'));
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect(await outcome).toBeInstanceOf(Error);
  });

  it('lists the calls that it received, without full credentials', async () => {
    await imported({ docNumber: 'INV-7' });
    const [entry] = await calls();
    expect(entry).toMatchObject({
      endpoint: 'malaysiaImport',
      method: 'POST',
      path: '/v2/einvoice/malaysia/queue/12',
      status: 200,
      at: startedAt,
      docNumber: 'INV-7',
      body: JSON.stringify(anInvoice({ docNumber: 'INV-7' })),
    });
    expect(entry?.headers).toMatchObject({
      [credentialHeaders.apiKey]: 'ali…(9)',
      authorization: 'Bea…(18)',
    });
    const deleted = { status: 200, body: { calls: [] } };
    expect(await call('/sandbox/calls', { method: 'DELETE' })).toMatchObject(deleted);
    expect(await calls()).toEqual([]);
  });

  it('returns the state that a control path sets', async () => {
    const fault = { endpoint: 'export', fault: 'reset' };
    const wrong = ['box-centre'];
    for (const [path, order, state] of [
      ['faults', fault, { faults: [fault] }],
      ['assumptions', { wrong }, { wrong }],
      ['clock', { advanceMs: 250 }, { now: startedAt + 250 }],
      ['course', { queuedMs: 1 }, { queuedMs: 1 }],
    ] as const) {
      const expected = { status: 200, body: state };
      expect(await post(`/sandbox/${path}`, order), path).toMatchObject(expected);
      expect(await get(`/sandbox/${path}`), path).toMatchObject(expected);
    }
  });

  it.each<[path: string, order: object | string, why: RegExp]>([
    ['faults', { endpoint: '*', fault: 'explode' }, /none, status-NNN, .*unknown-words/],
    ['faults', { endpoint: 'teapot', fault: 'reset' }, /createGroup, export, fapiao/],
    ['faults', { endpoint: '*', fault: 'reset', times: 0 }, /positive integer/],
    ['clock', { advanceMs: -1 }, /at least 0/],
    ['clock', '{"advanceMs":1e999}', /at least 0/],
    ['assumptions', { wrong: 'box-centre' }, /must be a list of malaysia-credentials/],
    ['assumptions', { wrong: ['box-centre', 'other'] }, /must be a list of malaysia-credentials/],
    ['course', { speed: 2 }, /one of: queuedMs/],
    ['course', { toString: 1 }, /one of: queuedMs/],
    ['course', { queuedMs: -1 }, /from 0 to 86400000/],
    ['course', { queuedMs: 86_400_001 }, /from 0 to 86400000/],
    ['course', { submittedMs: '5' }, /from 0 to 86400000/],
    ['course', { spread: 3 }, /from 0 to 2\./],
  ])('refuses as %s %j, says what it accepts, and changes nothing', async (path, order, why) => {
    const before = (await get(`/sandbox/${path}`)).body;
    const message = expect.stringMatching(why);
    expect(await post(`/sandbox/${path}`, order)).toMatchObject({ status: 400, body: { message } });
    expect((await get(`/sandbox/${path}`)).body).toEqual(before);
  });

  it('keeps serving after callers disconnect, send junk or truncate a body', async () => {
    const port = Number(new URL(sandbox.url).port);
    const scanHead = `POST /v1/documents/scan/nric HTTP/1.1\r\nhost: x\r\n${credentialHeaders.apiKey}: k\r\ncontent-length: 999\r\n`;
    const junk = [
      'junk\r\n\r\n',
      'GET * HTTP/1.1\r\nhost: x\r\n\r\n',
      'GET http://other/v1/groups HTTP/1.1\r\nhost: x\r\n\r\n',
      'CONNECT x:1 HTTP/1.1\r\nhost: x\r\n\r\n',
      `${scanHead}content-type: multipart/form-data; boundary=b\r\n\r\n--b\r\ncontent-disposition: form-data; name="files"; filename="a"\r\n\r\nab`,
      `POST /v1/groups HTTP/1.1\r\nhost: x\r\n${credentialHeaders.apiKey}: k\r\nauthorization: Bearer t\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{`,
    ];
    for (const bytes of junk) {
      await new Promise<void>((resolve) => {
        const socket = connect(port, '127.0.0.1', () => socket.end(bytes));
        socket.on('error', () => {});
        socket.on('close', () => resolve());
        socket.resume();
      });
    }
    expect((await scan()).status).toBe(200);
  });
});
