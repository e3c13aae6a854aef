/** `schema:check --apps` names the released applications that a change of the schema breaks. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { startTestGateway } from '../support/gateway.ts';
import { forTest } from '../support/lifetimes.ts';
import { checkSchema, type Files, runSchemaCheck } from '../support/schema-check.ts';

const schema = readFileSync('schema.graphql', 'utf8');
const released = readFileSync('packages/client/src/gql/persisted-documents.json', 'utf8');
const changelog = '# Changelog\n\n## [Unreleased]\n\n- `TextBox.centerX` is gone.\n';
const empty = '# Changelog\n\n## [Unreleased]\n';

/** The schema of this repository without a field. */
function without(field: string): string {
  const changed = schema.replace(new RegExp(`\n *${field}: [^\n]*`), '');
  expect(changed).not.toBe(schema);
  // The description that is left belongs to the next field, which has one of its own.
  return changed.replace(/("""[^"]*"""|"[^"\n]*")(?=\s+("""|"|\}))/g, '');
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
const manifest = (...texts: string[]) =>
  JSON.stringify(Object.fromEntries(texts.map((text) => [hashOf(text), text])));
const limits = 'query Limits { gatewayInfo { limits { maxBatchSize } } }';
const upload = 'query Upload { gatewayInfo { limits { maxUploadBytes } } }';

/** What is compared: the files before and now, and the parameters. */
function changeOf(apps: Files, present: string, parameters: readonly string[]) {
  const files = Object.entries(apps).map(([name, text]) => [`apps/${name}`, text]);
  return [
    { 'schema.graphql': schema, 'CHANGELOG.md': empty },
    { 'schema.graphql': present, 'CHANGELOG.md': changelog, ...Object.fromEntries(files) },
    [...parameters, '--apps', 'apps'],
  ] as const;
}

const check = (apps: Files, present: string, parameters: readonly string[] = ['HEAD']) =>
  checkSchema(...changeOf(apps, present, parameters));

describe('schema:check --apps', () => {
  it('names application, version and operation when TextBox.centerX is removed, within 2 s', () => {
    const apps = { 'folio-ios@2.3.1.json': released, 'folio-web-7.0.json': manifest(limits) };
    const { status, output } = runSchemaCheck(...changeOf(apps, without('centerX'), ['HEAD']));
    expect(status).toBe(1);
    expect(output).toContain('Field TextBox.centerX was removed.');
    expect(output).toMatch(/^Operations that break: 1 of \d+\. Applications: 2\.$/m);
    expect(output).toMatch(/^ {2}folio-ios@2\.3\.1 \w+: Cannot query field "centerX" on type "TextBox"\.$/m);
    expect(output).not.toContain('folio-web');
  });

  it('takes application and version from the member "application" of the formats that can have it', async () => {
    const application = { name: 'com.example.folio', version: '4.1' };
    const operations = { [hashOf(upload)]: { name: 'Upload', document: upload } };
    const own = { version: 1, application, operations };
    const format = 'apollo-persisted-query-manifest';
    const entry = { id: hashOf(upload), name: 'Upload', type: 'query', body: upload };
    const second = { ...application, version: '4.2' };
    const apollo = { format, version: 1, application: second, operations: [entry] };
    const files = { 'own.json': JSON.stringify(own), 'apollo.json': JSON.stringify(apollo) };
    const { output } = await check(files, without('maxUploadBytes'));
    for (const version of ['4.1', '4.2'])
      expect(output).toContain(`  com.example.folio@${version} Upload: Cannot query field "maxUploadBytes"`);
  });

  it('names operations with a field that can become null or an input with a new member, although they stay valid', async () => {
    const make =
      'mutation Make($input: CreateGroupInput!) { createGroup(input: $input) { ... on Group { id } } }';
    const changed = schema
      .replace('  maxBatchSize: Int!', '  maxBatchSize: Int')
      .replace('input CreateGroupInput {', 'input CreateGroupInput {\n  colour: String!');
    const { output } = await check({ 'ios@1.json': manifest(limits, make, upload) }, changed);
    expect(output).toContain('Operations that break: 2 of 3. Applications: 1.\n');
    expect(output).toMatch(/^ {2}ios@1 \w+: .*GatewayLimits\.maxBatchSize/m);
    expect(output).toMatch(/^ {2}ios@1 \w+: .*CreateGroupInput\.colour/m);
  });

  it('does not blame a change for an operation that was broken before, and lists it without a ref', async () => {
    const apps = { 'ios@0.1.json': manifest('query Old { gone }') };
    const unused = { ...apps, 'folio-web-7.0.json': manifest(limits) };
    const none = expect.stringContaining('Operations that break: 0 of 2. Applications: 2.\n');
    expect(await check(unused, without('centerX'))).toMatchObject({ status: 0, output: none });
    const { status, output } = await check(apps, schema, []);
    expect(status).toBe(1);
    expect(output).toMatch(
      /^Operations that break: 1 of 1\..*\n {2}ios@0.1 Old: Cannot query field "gone" on type "Query".\n$/,
    );
  });

  it('ends with 2 when a manifest cannot be used', async () => {
    const { status, errors } = await check({ 'ios@1.json': '{' }, schema);
    expect([status, errors]).toEqual([2, expect.stringContaining('ios@1.json: it is not JSON')]);
  });

  it('ends with 2 when the folder is missing, or an option is unknown', async () => {
    const files = { 'schema.graphql': schema, 'CHANGELOG.md': empty };
    expect((await checkSchema(files, {}, ['--apps', 'nowhere'])).status).toBe(2);
    expect((await checkSchema(files, {}, ['--app', 'apps'])).status).toBe(2);
  });
});

describe('schema:check --log', () => {
  const apps = { 'ios@1.json': manifest(upload), 'ios@2.json': manifest(upload) };
  const lineOf = (output: string, application: string) =>
    output.split('\n').find((line) => line.startsWith(`  ${application} `));

  it('says when each application last sent the operation that breaks', async () => {
    const gateway = forTest(await startTestGateway());
    await gateway.ask(upload, {}, { 'x-graphql-client-name': 'ios', 'x-graphql-client-version': '2' });
    await gateway.ask(limits, {}, { 'x-graphql-client-name': 'ios', 'x-graphql-client-version': '1' });
    const lines = gateway.log().map((line) => `gateway-1 | ${line}`);
    const { time } = gateway.logged('operation').find(({ name }) => name === 'Upload');
    const change = changeOf(apps, without('maxUploadBytes'), ['HEAD', '--log', '-']);
    const { output } = runSchemaCheck(...change, lines.join(''));
    expect(lineOf(output, 'ios@2')).toContain(` Last seen: ${time}.`);
    expect(lineOf(output, 'ios@1')).toContain(' Last seen: not in the log.');
  });

  it('counts a line of an unknown application for all that have the operation, and takes the latest line', async () => {
    const at = (time: string, members = {}) =>
      JSON.stringify({ msg: 'operation', requestId: 'a', hash: hashOf(upload), time, ...members });
    const log = [
      at('2031-01-03T00:00:00.000Z', { clientName: 'android', clientVersion: '1' }),
      at('2031-01-02T00:00:00.000Z'),
      at('2031-01-04T00:00:00.000Z', { clientName: 'ios', clientVersion: '2' }),
      at('2031-01-05T00:00:00.000Z', { msg: 'operation refused' }),
      'not a line of a gateway',
    ].join('\n');
    const parameters = ['HEAD', '--log', 'apps/log.txt'];
    const { output } = await check({ ...apps, 'log.txt': log }, without('maxUploadBytes'), parameters);
    expect(lineOf(output, 'ios@1')).toContain(' Last seen: 2031-01-03T00:00:00.000Z.');
    expect(lineOf(output, 'ios@2')).toContain(' Last seen: 2031-01-04T00:00:00.000Z.');
  });
});
