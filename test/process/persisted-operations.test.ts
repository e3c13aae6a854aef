import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { alice, post, readResponse, startTestGateway } from '../support/gateway.ts';
import { forFile, temporaryFile } from '../support/lifetimes.ts';
import { outputOf, runMain } from '../support/process.ts';
import { type Ask, type Asked, transports } from '../support/transports.ts';

const file = 'examples/persisted-operations.json';
const { operations } = JSON.parse(readFileSync(file, 'utf8')) as {
  operations: Record<
    string,
    { name: string; document: string; cost: number; credentials: string[]; writes: boolean }
  >;
};
const hashOf = (name: string) =>
  Object.keys(operations).find((hash) => operations[hash]?.name === name) as string;
const sha256 = (document: string) => createHash('sha256').update(document).digest('hex');
const persisted = (sha256Hash: unknown) => ({ extensions: { persistedQuery: { version: 1, sha256Hash } } });
const named = (name: string) => persisted(hashOf(name));

const start = async (only: boolean) =>
  forFile(await startTestGateway({ PERSISTED_OPERATIONS: file, PERSISTED_OPERATIONS_ONLY: String(only) }));
const gateway = await start(false);
const strict = await start(true);

const ask = async (body: object, to = gateway) => await readResponse(await post(to, body));
const variables = { by: { documentId: '1001' } };
const valid = { mexicoValidation: expect.objectContaining({ documentId: '1001' }) };

describe.each(Object.entries(transports))('over %s', (_name, send) => {
  const outcomeOf = async (to: typeof gateway, asked: Asked) => {
    const { data, errors } = await send(to, asked);
    return errors?.[0]?.extensions['code'] ?? data;
  };

  it('an operation of the manifest is executed by its hash', async () => {
    for (const each of [gateway, strict])
      expect(await outcomeOf(each, { ...named('MexicoValidation'), variables })).toEqual(valid);
    expect(await outcomeOf(gateway, persisted(sha256('{ __typename }')))).toBe('PERSISTED_QUERY_NOT_FOUND');
  });

  it('other operations are refused when only persisted ones are allowed', async () => {
    const query = '{ __typename }';
    for (const asked of [{ query }, { query, ...persisted(sha256(query)) }])
      expect(await outcomeOf(strict, asked)).toBe('PERSISTED_QUERY_ONLY');
  });
});

describe('the hash of a persisted operation', () => {
  it('can be sent in "documentId", as the persisted documents specification defines', async () => {
    const documentId = `sha256:${hashOf('MexicoValidation')}`;
    expect((await ask({ documentId, variables })).data).toEqual(valid);
    const search = new URLSearchParams({ documentId, variables: JSON.stringify(variables) });
    const headers = { ...alice, 'x-graphql-yoga-csrf': '1' };
    const { data } = await readResponse(await fetch(`${gateway.url}?${search}`, { headers }));
    expect(data).toEqual(valid);
  });

  it('must match the text when both are sent', async () => {
    const { errors } = await ask({ query: '{ __typename }', ...named('MexicoValidation') });
    expect(errors?.[0]?.extensions['code']).toBe('BAD_REQUEST');
  });

  it.each(['abc', 7, null, '__proto__', `md5:${hashOf('MexicoValidation')}`])(
    'is BAD_REQUEST when it is %j',
    async (hash) => {
      const { errors, status } = await ask(persisted(hash));
      expect([status, errors?.[0]?.extensions['code']]).toEqual([400, 'BAD_REQUEST']);
    },
  );

  it('of a mutation is refused by GET', async () => {
    const get = transports['GET'] as Ask;
    const { errors } = await get(gateway, { ...named('CreateGroup'), variables: { input: {} } });
    expect(errors?.[0]?.extensions['code']).toBe('BAD_REQUEST');
  });

  it('is in the log line of the operation', async () => {
    await ask(named('GatewayInfo'));
    const hash = hashOf('GatewayInfo');
    expect(gateway.logged('operation')).toContainEqual(
      expect.objectContaining({ name: 'GatewayInfo', hash }),
    );
  });
});

describe('the manifest', () => {
  it('with mistakes stops the start and reports all of them', async () => {
    const entry = (name: string, document: string) => [sha256(document), { name, document }];
    const wrong = [
      entry('Nope', 'query Nope { nope }'),
      entry('Broken', 'query Broken {'),
      entry('Other', 'query Another { __typename }'),
      entry('Twin', 'query Twin { __typename }'),
      entry('Twin', 'query Twin { a: __typename }'),
      entry('Long', `query Long { __typename } # ${'x'.repeat(65_536)}`),
      entry('Wide', `query Wide { malaysiaStatuses(documentIds: [${'"1" '.repeat(2_000)}]) { state } }`),
      ['0'.repeat(64), { name: 'Forged', document: 'query Forged { __typename }' }],
    ];
    const operations = Object.fromEntries(wrong);
    const manifest = temporaryFile(JSON.stringify({ version: 1, operations }));
    const { code, text } = await outputOf(runMain({ PORT: '0', PERSISTED_OPERATIONS: manifest }));
    expect(code).toBe(78);
    expect(text).toMatch(/Nope .*Cannot query field "nope"/);
    expect(text).toMatch(/Broken .*Syntax Error/);
    expect(text).toMatch(/Other .*one operation, named Other/);
    expect(text).toMatch(/Twin .*its name is also the name of/);
    expect(text).toMatch(/Long .*more than 65536 characters/);
    expect(text).toMatch(/Wide .*more than 2000 tokens/);
    expect(text).toMatch(/Forged .*hash does not match its document/);
  });
});
