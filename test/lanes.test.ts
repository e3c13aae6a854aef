import type { ServerResponse } from 'node:http';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { createLaneMaker } from '../src/caller.ts';
import { alice, bob, startTestGateway } from './support/gateway.ts';
import { forFile, serviceForFile } from './support/lifetimes.ts';
import * as does from './support/service.ts';

const uuid = '00000000-0000-0000-0000-000000000000';

/** Responds after 20 ms with a validation that contains the caller's credentials. */
const echoCredentials: does.Behaviour = ({ headers, url }, response) => {
  const documentId = url?.split('/').at(-1);
  const invalid_reason = `${headers['x-api-key']} ${headers.authorization}`;
  const body = {
    documentId,
    uuid,
    validation_result: 'INVALID',
    validatedAt: '2026-01-01T00:00:00Z',
    invalid_reason,
    steps: {},
  };
  setTimeout(
    () => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
    20,
  );
};

const service = await serviceForFile(echoCredentials);
const gateway = forFile(await startTestGateway({ UPSTREAM_URL: service.url }));
beforeEach(() => {
  service.received.length = 0;
  service.will(echoCredentials);
});

const ask = (headers: Record<string, string>, id = '1') =>
  gateway.ask(`{ mexicoValidation(by: { documentId: "${id}" }) { invalidReason } }`, {}, headers);

describe('callers', () => {
  it('in parallel each get their own result, with 40 callers', async () => {
    const callers = Array.from({ length: 40 }, (_, index) => ({
      'x-api-key': `key-${index % 20}`,
      authorization: `Bearer token-${index % 8}`,
    }));
    const answers = await Promise.all(
      callers.flatMap((caller) => [ask(caller), ask(caller), ask(caller, '2')]),
    );
    const expected = callers.flatMap((caller) =>
      Array(3).fill(`${caller['x-api-key']} ${caller.authorization}`),
    );
    expect(answers.map(({ data }) => data.mexicoValidation.invalidReason)).toEqual(expected);
  });

  it('with the same API key and different tokens never share a call', async () => {
    const other = { ...alice, authorization: bob.authorization };
    const answers = await Promise.all([ask(alice), ask(other)]);
    expect(answers.map(({ data }) => data.mexicoValidation.invalidReason)).toEqual([
      `${alice['x-api-key']} ${alice.authorization}`,
      `${alice['x-api-key']} ${bob.authorization}`,
    ]);
    expect(service.received).toHaveLength(2);
  });
});

describe('one caller', () => {
  it('causes one call with ten equal fields in one operation', async () => {
    const fields = Array.from(
      { length: 10 },
      (_, index) => `a${index}: mexicoValidation(by: { documentId: "1" }) { uuid }`,
    );
    const { data } = await gateway.ask(`{ ${fields.join(' ')} }`);
    expect(Object.keys(data)).toHaveLength(10);
    expect(service.received).toHaveLength(1);
  });

  it('causes one call with two equal operations at the same time', async () => {
    await Promise.all([ask(alice), ask(alice)]);
    expect(service.received).toHaveLength(1);
  });

  it('causes another call with a later operation: responses are not cached', async () => {
    await ask(alice);
    await ask(alice);
    expect(service.received).toHaveLength(2);
  });

  it('has at most ten calls in flight', async () => {
    let running = 0;
    let most = 0;
    let waiting: (() => void)[] = [];
    // Responds when ten calls are in flight, or the last ones.
    service.will((request, response) => {
      running += 1;
      most = Math.max(most, running);
      response.on('finish', () => {
        running -= 1;
      });
      waiting.push(() => echoCredentials(request, response));
      if (waiting.length < 10) return;
      for (const respond of waiting) respond();
      waiting = [];
    });
    await Promise.all(Array.from({ length: 40 }, (_, index) => ask(alice, String(index))));
    expect(most).toBe(10);
  });

  it('aborts a read by disconnecting', async () => {
    service.will(does.hang);
    const aborted = service.aborted();
    const leaving = new AbortController();
    const asked = fetch(gateway.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...alice },
      body: JSON.stringify({ query: '{ mexicoValidation(by: { documentId: "1" }) { uuid } }' }),
      signal: leaving.signal,
    });
    while (service.received.length === 0) await new Promise(setImmediate);
    leaving.abort();
    await expect(asked).rejects.toThrow();
    await aborted;
  });

  it('does not abort a read by disconnecting while another operation waits for it', async () => {
    const leaving = new AbortController();
    const body = JSON.stringify({ query: '{ mexicoValidation(by: { documentId: "1" }) { uuid } }' });
    const headers = { 'content-type': 'application/json', ...alice };
    const left = fetch(gateway.url, { method: 'POST', headers, body, signal: leaving.signal });
    while (service.received.length === 0) await new Promise(setImmediate);
    const stays = ask(alice);
    leaving.abort();
    await expect(left).rejects.toThrow();
    expect((await stays).data.mexicoValidation.invalidReason).toBe(
      `${alice['x-api-key']} ${alice.authorization}`,
    );
  });

  it('does not abort a write by disconnecting', async () => {
    const written = Promise.withResolvers<ServerResponse>();
    service.will((_request, response) => written.resolve(response));
    const leaving = new AbortController();
    const asked = fetch(gateway.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...alice },
      body: JSON.stringify({ query: 'mutation { createGroup(input: {}) { __typename } }' }),
      signal: leaving.signal,
    });
    while (service.received.length === 0) await new Promise(setImmediate);
    leaving.abort();
    await expect(asked).rejects.toThrow();
    // A round trip on another connection: the gateway has noticed the disconnect by then.
    await gateway.ask('{ __typename }');
    const response = await written.promise;
    expect(response.destroyed).toBe(false);
    await new Promise<void>((resolve) => response.end('{"createGroup":{"id":1}}', resolve));
    expect(service.received).toHaveLength(1);
  });
});

describe('a lane', () => {
  const value = fc.option(fc.string(), { nil: undefined });
  const laneOf = createLaneMaker(undefined);

  it('is equal if and only if both credentials are equal', () => {
    fc.assert(
      fc.property(value, value, value, value, (apiKey, authorization, otherKey, otherAuthorization) => {
        const same = apiKey === otherKey && authorization === otherAuthorization;
        const lanes = [
          laneOf({ apiKey, authorization }),
          laneOf({ apiKey: otherKey, authorization: otherAuthorization }),
        ];
        expect(lanes[0] === lanes[1]).toBe(same);
      }),
    );
  });

  it('differs between processes unless they share the secret', () => {
    const parts = { apiKey: 'a', authorization: 'b' };
    expect(createLaneMaker(undefined)(parts)).not.toBe(createLaneMaker(undefined)(parts));
    const secret = 'x'.repeat(32);
    expect(createLaneMaker(secret)(parts)).toBe(createLaneMaker(secret)(parts));
  });
});
