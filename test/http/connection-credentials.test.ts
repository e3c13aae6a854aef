import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createLaneMaker, credentialHeaders } from '../../src/caller.ts';
import { createIdentityReader } from '../../src/http/read-caller.ts';
import { fc } from '../support/fast-check.ts';
import { withKey } from '../support/gateway.ts';

/** A request with these headers on the connection. */
function requestOn(socket: object, headers: Record<string, string>): IncomingMessage {
  return { socket, headers, rawHeaders: Object.entries(headers).flat() } as unknown as IncomingMessage;
}

describe('the lane of a request', () => {
  it('is that of its credentials, whatever requests came before it on its connection and on others', () => {
    const laneOf = createLaneMaker(undefined);
    const header = fc.constantFrom(undefined, 'a', 'b', 'ab', 'A');
    const step = fc.record({
      connection: fc.nat({ max: 2 }),
      headers: fc.record({ [credentialHeaders.apiKey]: header, authorization: header }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30, size: 'max' }), (steps) => {
        let computed = 0;
        const identities = createIdentityReader((credentials) => {
          computed += 1;
          return laneOf(credentials);
        });
        const connections = [{}, {}, {}];
        const last: (string | undefined)[] = [];
        for (const { connection, headers } of steps) {
          const given = Object.fromEntries(
            Object.entries(headers).filter(([, value]) => value !== undefined),
          );
          const before = computed;
          const { credentials, lane, owner } = identities.read(
            requestOn(connections[connection] as object, given as never),
          );
          expect(credentials).toEqual({
            apiKey: headers[credentialHeaders.apiKey],
            authorization: headers.authorization,
          });
          expect(lane).toBe(laneOf(credentials));
          // The owner of a key is the same with every token.
          const keyAlone = { ...credentials, ...(credentials.apiKey && { authorization: undefined }) };
          expect(owner).toBe(laneOf(keyAlone));
          const lanes = credentials.apiKey && credentials.authorization ? 2 : 1;
          const key = JSON.stringify([credentials.apiKey ?? null, credentials.authorization ?? null]);
          expect(computed - before).toBe(last[connection] === key ? 0 : lanes);
          last[connection] = key;
        }
      }),
    );
  });

  it('is not taken from an earlier request when the credentials are malformed', () => {
    const identities = createIdentityReader(createLaneMaker(undefined));
    const socket = {};
    identities.read(requestOn(socket, withKey('good')));
    expect(() => identities.read(requestOn(socket, withKey('b\u00e4d')))).toThrow(
      `${credentialHeaders.apiKey} must be`,
    );
    const twice = requestOn(socket, withKey('good'));
    twice.rawHeaders.push(credentialHeaders.apiKey.toUpperCase(), 'other');
    expect(() => identities.read(twice)).toThrow('given more than once');
  });
});
