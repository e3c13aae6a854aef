import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createLaneMaker, credentialHeaders } from '../src/caller.ts';
import { alice, post, withKey } from './support/gateway.ts';
import { gatewayOfService } from './support/lifetimes.ts';
import * as does from './support/service.ts';

/** Responds after 20 ms with a validation that contains the caller's credentials. */
const echoCredentials: does.Behaviour = (request, response) => {
  const { headers, url } = request;
  const validation = {
    ...{ documentId: url?.split('/').at(-1), uuid: '00000000-0000-0000-0000-000000000000', steps: {} },
    ...{ validation_result: 'INVALID', validatedAt: '2026-01-01T00:00:00Z' },
    invalid_reason: echoed(headers),
  };
  setTimeout(() => does.json(200, validation)(request, response), 20);
};

const echoed = (headers: Readonly<Record<string, unknown>>) =>
  `${headers[credentialHeaders.apiKey]} ${headers['authorization']}`;

const { service, gateway } = await gatewayOfService(echoCredentials);

const read = (id: string) => `{ mexicoValidation(by: { documentId: "${id}" }) { invalidReason } }`;
/** The credentials with which the service was called for a read of this caller. A busy machine refuses some of many at once. */
async function ask(headers: Record<string, string>, id = '1'): Promise<string> {
  for (;;) {
    const { data, errors } = await gateway.ask(read(id), {}, headers);
    if (errors?.[0]?.extensions['bound'] !== 'admission-newcomers')
      return data.mexicoValidation.invalidReason;
  }
}

/** On another connection: afterwards the gateway has noticed what happened before. */
const roundTrip = () => gateway.ask('{ __typename }');

describe('callers', () => {
  it('in parallel each get their own result: 40 callers, of whom two have each API key and five each token', async () => {
    const callers = Array.from({ length: 40 }, (_, index) => ({
      ...withKey(`key-${index % 20}`),
      authorization: `Bearer token-${index % 8}`,
    }));
    const asked = callers.flatMap((caller) => [ask(caller), ask(caller), ask(caller, '2')]);
    const expected = callers.flatMap((caller) => Array(3).fill(echoed(caller)));
    expect(await Promise.all(asked)).toEqual(expected);
  });
});

describe('one caller', () => {
  it('causes another call with a later operation: responses are not cached', async () => {
    await ask(alice);
    await ask(alice);
    expect(service.received).toHaveLength(2);
  });

  it('does not abort a write by disconnecting', async () => {
    const written = Promise.withResolvers<ServerResponse>();
    service.will((_request, response) => written.resolve(response));
    const leaving = new AbortController();
    const query = 'mutation { createGroup(input: {}) { __typename } }';
    const left = post(gateway, { query }, alice, { signal: leaving.signal });
    const response = await written.promise;
    await roundTrip();
    leaving.abort();
    await expect(left).rejects.toThrow();
    await roundTrip();
    expect(response.destroyed).toBe(false);
    await new Promise<void>((resolve) => response.end('{"createGroup":{"id":1}}', resolve));
    expect(service.received).toHaveLength(1);
  });
});

describe('a lane', () => {
  it('is equal if and only if both credentials are equal', () => {
    const laneOf = createLaneMaker(undefined);
    // Some are equal when they are joined, or encoded as UTF-8.
    const values = [undefined, '', 'a', 'aa', ',', '","', '\ud800', '\udfff', 'null'];
    const lanes = () =>
      values.flatMap((apiKey) => values.map((authorization) => laneOf({ apiKey, authorization })));
    expect(new Set(lanes()).size).toBe(values.length ** 2);
    expect(lanes()).toEqual(lanes());
  });

  it('differs between processes unless they share the secret', () => {
    const parts = { apiKey: 'a', authorization: 'b' };
    expect(createLaneMaker(undefined)(parts)).not.toBe(createLaneMaker(undefined)(parts));
    const secret = 'x'.repeat(32);
    expect(createLaneMaker(secret)(parts)).toBe(createLaneMaker(secret)(parts));
  });
});
