/** How long a refused request is read and dropped, and what a body holds. */
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readMultipart } from '../../src/http/graphql/multipart-request.ts';
import { readJsonBody } from '../../src/http/graphql/request-body.ts';
import { restDropped } from '../../src/http/graphql/rest-of-body.ts';
import { shareOf } from '../../src/shares/bound-sizes.ts';
import { type HoldingOptions, ReclaimingBudget } from '../../src/shares/reclaiming-budget.ts';
import { form } from '../support/raw-http.ts';
import { aShares } from '../support/shares.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('the rest of a refused request', () => {
  let request: PassThrough;
  let isOver = false;

  function refuse(
    responseLength: number,
    response: object = { writableFinished: true },
  ): Promise<void> | undefined {
    request = Object.assign(new PassThrough(), { complete: false, url: '/graphql', rawHeaders: [] });
    const share = { hold() {}, close() {} };
    const exchange = { request, response, holdBody: () => share };
    return restDropped(exchange as never, responseLength);
  }

  beforeEach(() => {
    isOver = false;
    void refuse(16_384)?.then(() => (isOver = true));
  });

  it('is read to at most 64 MiB', async () => {
    for (let mebibyte = 0; mebibyte < 64; mebibyte += 1) request.write(Buffer.alloc(1024 * 1024));
    await vi.advanceTimersByTimeAsync(0);
    expect([isOver, request.destroyed]).toEqual([false, false]);
    request.write('x');
    await vi.advanceTimersByTimeAsync(0);
    expect([isOver, request.destroyed]).toEqual([true, true]);
  });

  it.each([
    ['nothing of it arrives for 2 seconds', 2_000, 2_000],
    ['all of it has not arrived after a minute', 60_000, 1_500],
  ])('is given up when %s', async (_why, ms, intervalMs) => {
    const sending = setInterval(() => request.write('x'), intervalMs);
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect([isOver, request.destroyed]).toEqual([true, true]);
    clearInterval(sending);
  });

  it('that is given up before its response is sent closes the connection after it', async () => {
    const response = Object.assign(new EventEmitter(), { writableFinished: false });
    void refuse(1, response);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(request.destroyed).toBe(false);
    response.emit('finish');
    expect(request.destroyed).toBe(true);
  });

  it('is not given up because the process has no time to read it', async () => {
    await vi.advanceTimersByTimeAsync(1_500);
    request.emit('postponed');
    await vi.advanceTimersByTimeAsync(1_999);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(isOver).toBe(true);
  });

  it('is not awaited by a response of more than 16,384 characters', () => {
    expect(refuse(16_385)).toBeUndefined();
  });
});

describe('a body whose caller has left', () => {
  /** A request whose body counts in a budget of its own. */
  function aRequest(headers: Readonly<Record<string, string>>) {
    const bodies = new ReclaimingBudget(shareOf('bodies', 1_000_000), aShares(), 'costliest');
    const request = Object.assign(new PassThrough(), { headers, rawHeaders: [] });
    const response = new EventEmitter();
    const holdBody = (drop: HoldingOptions['drop']) => bodies.open({ drop, holder: undefined });
    const metrics = { uploads: { inc() {}, dec() {} }, uploadBytes: { inc() {} } };
    const dependencies = { metrics, config: { limits: { maxRequestBytes: 1_000, maxUploadBytes: 1_000 } } };
    const http = { request, response, dependencies, holdBody, holdFile: () => () => {}, waitForTurn() {} };
    return { bodies, request, response, http: http as never };
  }

  it('before it was read holds nothing', async () => {
    const headers = { 'content-type': 'application/json', 'content-length': '100' };
    const { bodies, request, http } = aRequest(headers);
    request.write('{"query":');
    const operation = readJsonBody(http);
    request.emit('cut');
    await expect(operation).rejects.toThrow('The request ended before its body');
    await vi.advanceTimersByTimeAsync(60_000);
    expect([request.readableLength, bodies.held]).toEqual([0, 0]);
  });

  const text = form.beforeFile('mutation { nope }', { file: null });

  it('holds nothing of a file that is read afterwards', async () => {
    const { bodies, request, response, http } = aRequest(form.headers);
    request.end(text + form.file('x') + form.end);
    const { variables } = await readMultipart(http);
    response.emit('close');
    (variables as any).file.hold(100);
    expect(bodies.held).toBe(0);
  });

  it('before its file began is not awaited any more', async () => {
    const { bodies, request, response, http } = aRequest(form.headers);
    request.write(text);
    const operation = readMultipart(http);
    await vi.advanceTimersByTimeAsync(0);
    response.emit('close');
    await expect(operation).rejects.toThrow('The request ended before the end of its file');
    request.destroy();
    await expect.poll(() => [bodies.held, vi.getTimerCount()]).toEqual([0, 0]);
  });
});
