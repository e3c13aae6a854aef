/** The test kit, installed in an empty project, with the tests of docs/test-kit.md. */
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { browserPath } from '../support/browser.ts';
import { withKey } from '../support/gateway.ts';
import { forFile, temporaryFolder } from '../support/lifetimes.ts';
import { readPage } from '../support/markdown.ts';

const execute = promisify(execFile);
const folder = temporaryFolder(forFile);
const kit = join(folder, 'kit');
const project = join(folder, 'project');
const modules = join(project, 'node_modules');
const installed = join(modules, 'folio-test-kit');

/** Packages that the page installs from a registry. */
const otherPackages = ['vitest', 'msw', 'playwright-core', '@types/node'];

/** What the page does not show. */
const testOfKit = `import net from 'node:net';
import { startFolio, startFolioWithoutPort } from 'folio-test-kit';
import { fixture } from 'folio-test-kit/fixtures';
import { FolioError, folioHandlers } from 'folio-test-kit/msw';
import { setupServer } from 'msw/node';
import { expect, it, vi } from 'vitest';

const post = { method: 'POST', headers: { 'content-type': 'application/json', ...${JSON.stringify(withKey('demo'))} } };
const body = JSON.stringify({ query: '{ malaysiaStatus(documentId: "1") { state } }' });

it('rejects an invalid setting and a part that it does not have', async () => {
  await expect(startFolio({ settings: { PORT: 'x' } })).rejects.toThrow(/PORT must be a whole number/);
  for (const settings of [{ GRAPHIQL: 'true' }, { REDIS_URL: 'redis://a', LANE_SECRET: '32 bytes of a secret, or more: ok' }])
    await expect(startFolio({ settings })).rejects.toThrow(/is not a part of the test kit/);
});

it('rejects a clock that is not a valid date', async () => {
  await expect(startFolio({ clock: new Date('31/01/2026') })).rejects.toThrow('"clock" must be a valid date.');
});

it('keeps the faults and calls of two gateways apart', async () => {
  const [one, other] = [await startFolio(), await startFolio()];
  one.faults.set({ endpoint: '*', fault: 'status-500' });
  await fetch(other.url, { ...post, body });
  expect([one.faults.active.length, one.calls.list().length]).toEqual([1, 0]);
  expect([other.faults.active.length, other.calls.list().length]).toEqual([0, 1]);
  other.calls.clear();
  expect(other.calls.list()).toEqual([]);
  await Promise.all([one.close(), other.close()]);
  await expect(fetch(one.url)).rejects.toThrow();
});

it('closes although a call hangs, and serves WebSockets', async () => {
  const folio = await startFolio({ faults: [{ endpoint: 'malaysiaStatus', fault: 'hang' }] });
  const hanging = fetch(folio.url, { ...post, body }).catch(() => undefined);
  const socket = new WebSocket(folio.wsUrl, 'graphql-transport-ws');
  const message = new Promise((resolve) => socket.addEventListener('message', ({ data }) => resolve(data)));
  socket.addEventListener('open', () => socket.send('{"type":"connection_init"}'));
  expect(await message).toBe('{"type":"connection_ack"}');
  await expect.poll(() => folio.calls.list().length).toBe(1);
  await folio.close();
  await hanging;
});

it('loses all connections at once', async () => {
  const folio = await startFolio({ faults: [{ endpoint: 'malaysiaStatus', fault: 'hang' }] });
  const lost = fetch(folio.url, { ...post, body }).then(() => 'a response', () => 'lost');
  const socket = new WebSocket(folio.wsUrl, 'graphql-transport-ws');
  const closed = new Promise((resolve) => socket.addEventListener('close', resolve));
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  await expect.poll(() => folio.calls.list().length).toBe(1);
  folio.connections.cut();
  await closed;
  expect(await lost).toBe('lost');
  await folio.close();
});

it('needs no socket without a port: uploads, events, faults that hang, and closing', async () => {
  const listen = vi.spyOn(net.Server.prototype, 'listen');
  const connect = vi.spyOn(net.Socket.prototype, 'connect');
  const folio = await startFolioWithoutPort({ clock: new Date('2026-01-31T08:00:00Z') });
  const form = new FormData();
  const query = 'mutation ($file: Upload!) { scanIdentityCard(input: { file: $file, queueId: "7" }) { ... on ScanResult { status } } }';
  form.set('operations', JSON.stringify({ query, variables: { file: null } }));
  form.set('map', '{"0":["variables.file"]}');
  form.set('0', new Blob(['x'.repeat(300_000)]), 'card.png');
  const headers = { ...folio.credentials, 'x-graphql-yoga-csrf': '1' };
  const scanned = await folio.fetch(new URL('https://any.example/'), { method: 'POST', headers, body: form });
  expect((await scanned.json()).data).toEqual({ scanIdentityCard: { status: 'COMPLETED' } });
  expect(folio.calls.list()).toMatchObject([{ endpoint: 'scan', file: { name: 'card.png', bytes: 300_000 } }]);

  const watch = JSON.stringify({ query: 'subscription { malaysiaStatusChanged(documentId: "2001") { state } }' });
  const accept = { ...post.headers, accept: 'text/event-stream' };
  const events = await folio.fetch(new Request('http://a/graphql', { ...post, headers: accept, body: watch }));
  const states = [];
  for await (const chunk of events.body ?? []) {
    const state = /"state":"(\\w+)"/.exec(Buffer.from(chunk).toString())?.[1];
    if (state) states.push(state);
    if (state) folio.clock.advance(20_000);
  }
  expect(states.at(-1)).toBe('VALIDATED');

  folio.faults.set({ endpoint: 'malaysiaStatus', fault: 'hang' });
  const hanging = folio.fetch('/graphql', { ...post, body });
  await expect.poll(() => folio.calls.list().at(-1)?.fault).toBe('hang');
  await folio.close();
  expect((await (await hanging).json()).errors[0].extensions.code).toBe('SHUTTING_DOWN');
  expect([listen.mock.calls, connect.mock.calls]).toEqual([[], []]);
  vi.restoreAllMocks();
});

it('makes a complete value of every type', () => {
  expect(fixture('MalaysiaStatus', { state: 'FAILED' })).toMatchObject({
    __typename: 'MalaysiaStatus', state: 'FAILED', isFinal: false, message: null, documentId: '1',
  });
  expect(fixture('ScanResult').card).toMatchObject({ __typename: 'IdentityCard', fields: [] });
});

/** What a page receives of a subscription over server-sent events. */
async function eventsOf(malaysiaStatusChanged: () => any): Promise<string> {
  const server = setupServer(...folioHandlers('http://folio.test/graphql', { malaysiaStatusChanged }));
  server.listen();
  const query = 'subscription { malaysiaStatusChanged(documentId: "1") { state } }';
  const headers = { 'content-type': 'application/json', accept: 'text/event-stream' };
  const response = await fetch('http://folio.test/graphql', { method: 'POST', headers, body: JSON.stringify({ query }) });
  const text = await response.text();
  server.close();
  return text;
}

it('sends the events of a subscription as server-sent events', async () => {
  const event = 'event: next\\ndata: {"data":{"malaysiaStatusChanged":{"state":"QUEUED"}}}\\n\\nevent: complete\\ndata:\\n\\n';
  expect(await eventsOf(() => [fixture('MalaysiaStatus', { state: 'QUEUED' })])).toBe(event);
});

it('ends a subscription with the error that its handler throws after an event', async () => {
  const text = await eventsOf(async function* () {
    yield fixture('MalaysiaStatus', { state: 'QUEUED' });
    throw new FolioError('UNAUTHENTICATED');
  });
  const [first, last = '', complete] = text.split('\\n\\n');
  expect([first, complete]).toEqual([expect.stringContaining('QUEUED'), 'event: complete\\ndata:']);
  const { errors } = JSON.parse(last.replace('event: next\\ndata: ', ''));
  expect(errors[0].extensions).toMatchObject({ code: 'UNAUTHENTICATED', retryable: false, sideEffect: 'NONE' });
});

it('sends nothing of a subscription that its client has ended, and refuses what is not GraphQL', async () => {
  const next = Promise.withResolvers<void>();
  const server = setupServer(...folioHandlers('http://folio.test/graphql', {
    async *malaysiaStatusChanged() {
      yield fixture('MalaysiaStatus', { state: 'QUEUED' });
      await next.promise;
      yield fixture('MalaysiaStatus', { state: 'SUBMITTED' });
    },
  }));
  server.listen();
  const socket = new WebSocket('ws://folio.test/graphql', 'graphql-transport-ws');
  const send = (message: object) => socket.send(JSON.stringify(message));
  const received: unknown[][] = [];
  const query = 'subscription { malaysiaStatusChanged(documentId: "1") { state } }';
  socket.onopen = () => send({ type: 'connection_init' });
  await new Promise<void>((resolve) => {
    socket.onmessage = ({ data }) => {
      const { type, id, payload } = JSON.parse(data);
      if (type === 'connection_ack') return send({ type: 'subscribe', id: '1', payload: { query } });
      received.push([type, id, payload?.errors?.[0].message ?? payload?.data.malaysiaStatusChanged.state]);
      if (received.length > 1) {
        if (type === 'complete') resolve();
        return;
      }
      send({ type: 'complete', id });
      send({ type: 'subscribe', id: '2', payload: { query: '' } });
      next.resolve();
    };
  });
  expect(received).toEqual([
    ['next', '1', 'QUEUED'],
    ['next', '2', 'Syntax Error: Unexpected <EOF>.'],
    ['complete', '2', undefined],
  ]);
  server.close();
});
`;

beforeAll(() => {
  execFileSync(process.execPath, ['scripts/test-kit.ts', '--to', kit]);
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module', private: true }));
  // A package without dependencies and without a list of files is installed by copying its folder.
  cpSync(kit, installed, { recursive: true });
  for (const name of otherPackages) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(resolve('node_modules', name), join(modules, name));
  }
  writeFileSync(join(project, 'kit.test.ts'), testOfKit);
  const { blocks } = readPage(readFileSync('docs/test-kit.md', 'utf8'));
  for (const { text } of blocks.filter(({ kind }) => kind === 'ts')) {
    const name = /^\/\/ (\S+\.test\.ts)\n/.exec(text)?.[1] as string;
    writeFileSync(join(project, name), text);
  }
});

/** Runs a program of the repository in the project. Returns what it prints, also when it fails. */
async function inProject(program: string, ...parameters: string[]): Promise<string> {
  const env: NodeJS.ProcessEnv = { ...process.env, CHROMIUM: browserPath };
  // Vitest would believe that it runs in the test that starts it.
  delete env['VITEST'];
  const child = execute(process.execPath, [resolve(program), ...parameters], { cwd: project, env });
  return (await child.catch((failed: { readonly stdout: string }) => failed)).stdout;
}

describe('the test kit', () => {
  it('has no dependencies and no file outside its folder, and the license of every package in it', () => {
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({ name: 'folio-test-kit', version: packageJson.version });
    for (const member of ['dependencies', 'files', 'private', 'scripts'])
      expect(manifest).not.toHaveProperty(member);
    expect(manifest.peerDependenciesMeta).toEqual({ msw: { optional: true } });
    const declarations = readdirSync(installed).filter((name) => name.endsWith('.d.ts'));
    const names = ['fixtures', 'index', 'msw', 'schema-types', 'types'].map((name) => `${name}.d.ts`);
    expect(declarations.toSorted()).toEqual(names);
    for (const name of declarations) {
      const text = readFileSync(join(installed, name), 'utf8');
      expect([name, text.match(/from "(?!\.\/[\w-]+\.js"|msw")/)]).toEqual([name, null]);
    }
    const licenses = readFileSync(join(installed, 'LICENSES.txt'), 'utf8');
    for (const name of ['graphql', 'undici', 'ws']) expect(licenses).toMatch(new RegExp(`^${name} \\d`, 'm'));
  });

  it('runs the tests of its page in an empty project: faults, the clock, handlers and a browser', async () => {
    const options = [
      '--no-isolate',
      '--maxWorkers=1',
      '--pool=threads',
      '--reporter=json',
      '--outputFile=results.json',
    ];
    await inProject('node_modules/vitest/vitest.mjs', 'run', ...options);
    const output = JSON.parse(readFileSync(join(project, 'results.json'), 'utf8'));
    const passed = { numTotalTests: 18, numPassedTests: browserPath ? 18 : 17 };
    expect(output).toMatchObject({ success: true, ...passed });
  });

  it('has types: the tests of its page compile, the one member of a reference is never null, and a fault, an endpoint or a value of another type does not compile', async () => {
    writeFileSync(
      join(project, 'wrong.ts'),
      `import { startFolio } from 'folio-test-kit';
      import { folioHandlers } from 'folio-test-kit/msw';
      import { fixture } from 'folio-test-kit/fixtures';
      void startFolio({ faults: [{ endpoint: 'createGroup', fault: 'slow' }] });
      void startFolio({ faults: [{ endpoint: 'groups', fault: 'hang' }] });
      folioHandlers('', { createGroup: () => ({ __typename: 'Group', id: 7 }) });
      folioHandlers('', { createGroups: () => null });
      fixture('MalaysiaStatus', { state: 'DONE' });
      `,
    );
    writeFileSync(
      join(project, 'one-member.ts'),
      `import { folioHandlers } from 'folio-test-kit/msw';
      folioHandlers('', { mexicoValidation: ({ by }) => {
        ('uuid' in by ? by.uuid : by.documentId).trim();
        return null;
      } });
      `,
    );
    const files = readdirSync(project).filter((name) => name.endsWith('.ts'));
    const target = ['--module', 'nodenext', '--target', 'esnext', '--types', 'node'];
    const options = ['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', ...target];
    const printed = await inProject('node_modules/typescript/bin/tsc', ...options, ...files);
    const errors = [...printed.matchAll(/^(\S+\.ts)\((\d+)/gm)].map(([, file, line]) => `${file} ${line}`);
    expect(errors).toEqual(['wrong.ts 4', 'wrong.ts 5', 'wrong.ts 6', 'wrong.ts 7', 'wrong.ts 8']);
  });
});
