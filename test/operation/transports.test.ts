import { describe, expect, it } from 'vitest';
import { credentialHeaders } from '../../src/caller.ts';
import { alice, startTestGateway, withKey } from '../support/gateway.ts';
import { forFile, forTest, serviceForFile } from '../support/lifetimes.ts';
import * as does from '../support/service.ts';
import { connectedSocket, openSocket } from '../support/websocket.ts';

const service = await serviceForFile(does.json(200, { status: 'queued' }));
const gateway = forFile(await startTestGateway({ UPSTREAM_URL: service.url, MALAYSIA_POLL_MIN_MS: '20' }));

describe('a WebSocket', () => {
  it.each<[string, Record<string, unknown>, Record<string, string>?]>([
    [
      'connection_init in any case',
      {
        [credentialHeaders.apiKey.toUpperCase()]: alice[credentialHeaders.apiKey],
        AUTHORIZATION: alice.authorization,
      },
    ],
    ['connection_init under headers', { headers: alice }],
    ['the upgrade request when connection_init has none', {}, alice],
  ])('uses the credentials of %s', async (_where, initial, headers = {}) => {
    const socket = forTest(await openSocket(gateway, { headers }));
    socket.send({ type: 'connection_init', payload: initial });
    expect(await socket.message()).toEqual({ type: 'connection_ack' });
    socket.subscribe('1', '{ malaysiaStatus(documentId: "1") { state } }');
    const payload = { data: { malaysiaStatus: { state: 'QUEUED' } } };
    expect(await socket.message()).toEqual({ type: 'next', id: '1', payload });
    expect(service.received[0]?.headers).toMatchObject(alice);
  });

  it.each([
    ['a list', []],
    ['a number as key', { [credentialHeaders.apiKey]: 7 }],
    ['a key with a line break', withKey('a\r\nb')],
    ['a key with an umlaut', { authorization: 'Bearer ä' }],
    ['an object as key', { [credentialHeaders.apiKey]: { toString: 'a' } }],
    ['headers that are not an object', { headers: `${credentialHeaders.apiKey}: a` }],
  ])('with %s in its connection_init is closed with 4400', async (_title, payload) => {
    const socket = await openSocket(gateway);
    socket.send({ type: 'connection_init', payload });
    expect(await socket.closed()).toMatchObject({ code: 4400 });
  });

  it('stays open after invalid operations, and its other operations continue', async () => {
    const socket = forTest(await connectedSocket(gateway));
    socket.subscribe('live', 'subscription { malaysiaStatusChanged(documentId: "1") { state } }');
    expect(await socket.message()).toMatchObject({ id: 'live', type: 'next' });
    for (const [payload, code] of [
      [{ query: '' }, 'BAD_REQUEST'],
      [{ query: '{' }, 'GRAPHQL_PARSE_FAILED'],
      [{ query: '{ nope }' }, 'GRAPHQL_VALIDATION_FAILED'],
      [{ query: '{ __typename }', operationName: 'None' }, 'GRAPHQL_VALIDATION_FAILED'],
    ] as const) {
      socket.send({ type: 'subscribe', id: 'bad', payload });
      const expected = { type: 'error', payload: [{ extensions: { code } }] };
      expect(await socket.messageOf('bad')).toMatchObject(expected);
    }
    service.will(does.json(200, { status: 'submitted' }));
    expect(await socket.messageOf('live')).toMatchObject({ type: 'next' });
  });

  it('is refused for a page of another origin', async () => {
    const headers = { origin: 'https://evil.example' };
    await expect(openSocket(gateway, { headers })).rejects.toThrow(/403/);
  });
});
