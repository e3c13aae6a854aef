/** JSON that is small in bytes and expensive to parse. */
import { describe, expect, it } from 'vitest';
import { valueFromJson } from '../../src/http/caller-json.ts';
import { alice, startTestGateway } from '../support/gateway.ts';
import { forFile } from '../support/lifetimes.ts';
import { openSocket } from '../support/websocket.ts';

// More names than the bound of 10,000 by a hundred: two of them may have the same hash, and count once.
const expensive = [
  ['1,390,000 empty objects', `[${'{},'.repeat(1_390_000)}1]`],
  ['2,000,000 opening brackets', '['.repeat(2_000_000)],
  ['20,001 levels', `${'['.repeat(20_001)}${']'.repeat(20_001)}`],
  ['10,100 names with equal polynomial hashes', `{${namesOf(['Aa', 'BB'], 14).slice(0, 10_100)}}`],
  ['10,100 names that differ in escapes', `{${namesOf(['n', '\\n'], 14).slice(0, 10_100)}}`],
  ['10,100 distinct names', `{${Array.from({ length: 10_100 }, (_, index) => `"${index}":1`).join(',')}}`],
] as const;

/** Members whose names are all sequences of so many of the parts. */
function namesOf(parts: readonly string[], length: number): string[] {
  let names = [''];
  for (let at = 0; at < length; at += 1) names = names.flatMap((name) => parts.map((part) => name + part));
  return names.map((name) => `"${name}":1`);
}

const gateway = forFile(await startTestGateway({ LOG_LEVEL: 'silent' }));

it.each(expensive)(
  '%s are refused before they are parsed, in JSON and in a multipart request',
  async (_what, value) => {
    const body = `{"query":"{ __typename }","unused":${value}}`;
    const form = new FormData();
    form.set('operations', body);
    form.set('map', '{}');
    const json = new Blob([body], { type: 'application/json' });
    for (const sent of [json, form]) {
      const headers = { ...alice, 'x-graphql-yoga-csrf': '1' };
      const response = await fetch(gateway.url, { method: 'POST', headers, body: sent });
      const { errors } = (await response.json()) as any;
      expect([response.status, errors[0].extensions.code]).toEqual([200, 'BAD_USER_INPUT']);
      expect(errors[0].message).toMatch(/^(The body|"operations") has more than .*; nothing was done\.$/);
    }
  },
);

it('a WebSocket message of 20,001 levels closes the socket with 4400', async () => {
  const socket = await openSocket(gateway);
  socket.send(`{"type":"ping","payload":{"a":${'['.repeat(20_001)}${']'.repeat(20_001)}}}`);
  expect((await socket.closed()).code).toBe(4400);
});

describe('the check of JSON structure', () => {
  const check = (value: unknown) => void valueFromJson(Buffer.from(JSON.stringify(value)), 'It');

  it('accepts 100,000 values, 20,000 levels and 10,000 names, and no value or level more', () => {
    const nested = (levels: number) => Buffer.from(`${'['.repeat(levels)}${']'.repeat(levels)}`);
    // The list is a value too.
    check(Array(99_999).fill(1));
    expect(() => check(Array(100_000).fill(1))).toThrow(/100000 values/);
    valueFromJson(nested(20_000), 'It');
    expect(() => valueFromJson(nested(20_001), 'It')).toThrow(/20000 levels/);
    // Objects next to each other are on one level, and no other value ends one.
    check(Array(20_001).fill({}));
    expect(() => valueFromJson(Buffer.from('[1,'.repeat(20_001)), 'It')).toThrow(/20000 levels/);
    check(Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [index, 1])));
  });

  it('does not count structural characters in strings', () => {
    check({ [`\\"[{,:`.repeat(50_000)]: `"\\[{,:`.repeat(50_000) });
    check(Array(1_000).fill('\\'));
  });

  it('reads a long string before many colons once', () => {
    const text = `"${'x'.repeat(1_000_000)}"${':'.repeat(1_000_000)}`;
    expect(() => valueFromJson(Buffer.from(text), 'It')).toThrow('must be valid JSON');
  });
});
