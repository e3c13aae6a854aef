import { describe, expect, it } from 'vitest';
import { credentialHeaders } from '../../src/caller.ts';
import { messageIn } from '../../src/http/websocket/message.ts';
import { alice, startTestGateway } from '../support/gateway.ts';
import { forFile, forTest } from '../support/lifetimes.ts';
import { metricOf } from '../support/metric.ts';
import { openSocket } from '../support/websocket.ts';

const gateway = forFile(await startTestGateway());

/** Each type of JSON, and objects whose conversion to text fails. */
const values: readonly string[] = [
  ...['null', '-1e400', '""', '"text"', '[]', '{}'],
  '{"toString":null,"valueOf":{},"length":1}',
  '{"__proto__":{"then":1},"constructor":7}',
  `${'['.repeat(15_000)}${']'.repeat(15_000)}`,
];

/** The members of each message; those of `payload` after a dot. */
const members: Readonly<Record<string, readonly string[]>> = {
  connection_init: [
    'type',
    'payload',
    `payload.${credentialHeaders.apiKey}`,
    'payload.authorization',
    'payload.headers',
  ],
  ping: ['type', 'payload', 'payload.any'],
  pong: ['type', 'payload', 'payload.any'],
  subscribe: [
    'type',
    'id',
    'payload',
    ...['query', 'documentId', 'operationName', 'variables', 'extensions'].map((name) => `payload.${name}`),
  ],
  complete: ['type', 'id', 'payload'],
  unknown: ['type', 'id', 'payload'],
};

const init = JSON.stringify({ type: 'connection_init', payload: alice });
const query = 'subscription { malaysiaStatusChanged(documentId: "1") { state } }';

/** A message in which one member is the JSON text. */
function messageWith(type: string, member: string, json: string): string {
  const message: Record<string, string> = { type: JSON.stringify(type), id: '"1"' };
  const payload: Record<string, string> = type === 'subscribe' ? { query: JSON.stringify(query) } : {};
  const [name = '', inner] = member.split('.');
  if (inner) payload[inner] = json;
  message['payload'] = objectOf(payload);
  if (!inner) message[name] = json;
  return objectOf(message);
}

const objectOf = (members: Readonly<Record<string, string>>) =>
  `{${Object.entries(members).map(([name, json]) => `"${name}":${json}`)}}`;

/** Sends the messages, then a ping. Resolves when the socket has responded to it, or has closed: with the close code. */
async function converse(messages: readonly (string | Buffer)[]): Promise<number | undefined> {
  const socket = await openSocket(gateway);
  for (const message of messages) socket.raw.send(message);
  socket.send({ type: 'ping' });
  const responded = async (): Promise<undefined> => {
    while ((await socket.message()).type !== 'pong');
  };
  // It rejects when the socket closes.
  const code = await responded().catch(() => socket.closed().then(({ code }) => code));
  socket.raw.terminate();
  return code;
}

const faults = () =>
  gateway.log().filter((line) => /websocket event|INTERNAL_SERVER_ERROR|"level":(50|60)/.test(line));

describe('a WebSocket message', () => {
  const read = (message: object) => messageIn(Buffer.from(JSON.stringify(message)));

  it('has an id of 1 to 128 characters', () => {
    const id = 'i'.repeat(128);
    expect(read({ type: 'complete', id })).toEqual({ type: 'complete', id });
    for (const other of [`${id}i`, '', 7]) {
      expect(() => read({ type: 'complete', id: other })).toThrow('1 to 128 characters');
      expect(() => read({ type: 'subscribe', id: other, payload: {} })).toThrow('1 to 128 characters');
    }
    expect(read({ type: 'ping', id: '', payload: { any: 1 } })).toEqual({ type: 'ping' });
  });

  it.each([
    [{}, '"query" must be a string, empty with a hash.'],
    [{ query: 7 }, '"query" must be a string.'],
    [{ query, operationName: {} }, '"operationName" must be a string.'],
    [{ query, variables: [] }, '"variables" must be an object.'],
    [{ query, extensions: '' }, '"extensions" must be an object.'],
  ])(
    'of type subscribe with the payload %j closes its socket with the member in the reason',
    async (payload, reason) => {
      const socket = await openSocket(gateway);
      socket.send({ type: 'subscribe', id: '1', payload });
      expect(await socket.closed()).toEqual({ code: 4400, reason });
    },
  );

  it('of type connection_init has at most 16 KiB', () => {
    const messageOf = (bytes: number) => {
      const empty = { type: 'connection_init', payload: { any: '' } };
      return { ...empty, payload: { any: 'x'.repeat(bytes - JSON.stringify(empty).length) } };
    };
    expect(read(messageOf(16_384))).toEqual(messageOf(16_384));
    expect(() => read(messageOf(16_385))).toThrow('longer than 16384 bytes');
    expect(read({ type: 'connection_init', payload: null })).toEqual({
      type: 'connection_init',
      payload: null,
    });
  });

  it('does not count as a request body after it was handled', async () => {
    const socket = forTest(await openSocket(gateway));
    socket.send({ type: 'ping', payload: { any: 'x'.repeat(60_000) } });
    await socket.message();
    expect(await metricOf(gateway, 'folio_bound_used_ratio{bound="bodies"}')).toBe(0);
  });

  it.each(Object.entries(members).flatMap(([type, names]) => names.map((name) => [type, name] as const)))(
    '%s with any JSON as %s closes at most its own socket, by the protocol',
    async (type, name) => {
      // A second connection_init closes the socket whatever it has.
      const before = type === 'connection_init' ? [] : [init];
      for (const json of values) {
        const code = await converse([...before, messageWith(type, name, json)]);
        expect([undefined, 4400], json.slice(0, 40)).toContain(code);
      }
      expect(faults()).toEqual([]);
    },
  );
});
