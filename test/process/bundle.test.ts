/** The files that `npm run build` writes, which are what the container image runs. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { parse } from 'yaml';
import packageJson from '../../package.json' with { type: 'json' };
import { buildOptions, bundleManifest } from '../../scripts/bundle-manifest.ts';
import { buildBundle, ofEarlierBundle, packedElsewhere } from '../support/bundle.ts';
import { startCollector } from '../support/collector.ts';
import { alice } from '../support/gateway.ts';
import { forFile, forTest, temporaryFolder } from '../support/lifetimes.ts';
import { killProcesses, outputOf, startProcess } from '../support/process.ts';

const folder = inject('bundle') ?? ownBundle();
const entry = join(folder, 'main.js');
/** A project that has it installed as the package `folio`. */
const project = temporaryFolder(forFile);
const installed = join(project, 'node_modules/folio');

function ownBundle(): string {
  const own = buildBundle();
  forFile({ close: () => rmSync(own, { recursive: true }) });
  return own;
}

beforeAll(() => {
  execFileSync('npm', ['pack', folder, '--pack-destination', project], { stdio: 'ignore' });
  mkdirSync(installed, { recursive: true });
  const tarball = join(project, `folio-${packageJson.version}.tgz`);
  execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', installed]);
});
afterEach(killProcesses);

/** The first Node in PATH that npm has not installed: the machine's own, which is often older. */
function olderNode(): string {
  const folders = (process.env['PATH'] as string).split(delimiter);
  const own = folders.filter((path) => !path.includes('node_modules')).map((path) => join(path, 'node'));
  return own.find((path) => existsSync(path)) ?? process.execPath;
}

/** A server that has the gateway inside, without a port. Prints values of a query, an upload and a subscription. */
const host = `
import { createFolioHandler, type FolioHandler } from 'folio/handler';
const settings = { NODE_ENV: 'production', UPSTREAM_URL: 'sandbox' };
const folio: FolioHandler = createFolioHandler(settings, { writeLog() {} });
const credentials = ${JSON.stringify(alice)};
const send = (body: string | FormData, headers: Record<string, string>) =>
  folio.fetch(new Request('http://host/a', { method: 'POST', headers: { ...credentials, ...headers }, body }));
const json = { 'content-type': 'application/json' };
const valueOf = (text: string) => /"(VALID|COMPLETED|QUEUED)"/.exec(text)?.[1];

const query = '{ mexicoValidation(by: { documentId: "1001" }) { result } }';
const read = await (await send(JSON.stringify({ query }), json)).text();

const scan = 'mutation ($file: Upload!) { scanIdentityCard(input: { file: $file, queueId: "7" }) { ... on ScanResult { status } } }';
const form = new FormData();
form.set('operations', JSON.stringify({ query: scan, variables: { file: null } }));
form.set('map', '{"0":["variables.file"]}');
form.set('0', new Blob(['a card']), 'card.png');
const scanned = await (await send(form, { 'x-graphql-yoga-csrf': '1' })).text();

const watch = 'subscription { malaysiaStatusChanged(documentId: "2001") { state } }';
const events = await send(JSON.stringify({ query: watch }), { ...json, accept: 'text/event-stream' });
let event = '';
for await (const chunk of events.body ?? []) {
  event += Buffer.from(chunk).toString();
  if (valueOf(event)) break;
}
await folio.close();
console.log([read, scanned, event].map(valueOf).join(' '));
`;

describe('the bundle', () => {
  it('replaces an earlier bundle, and keeps the client and the test kit that are packed next to it', () => {
    const paths = globSync('**', { cwd: folder });
    expect(paths).toEqual(expect.arrayContaining(packedElsewhere));
    expect(paths).not.toContain(ofEarlierBundle);
  });

  it('starts the service of compose.yaml by its command', async () => {
    const { services } = parse(readFileSync('compose.yaml', 'utf8'), { merge: true });
    const [program, file, ...parameters] = services.service.command as string[];
    expect(program).toBe('node');
    const local = parameters.map((text) => text.replace('0.0.0.0', '127.0.0.1').replace('4010', '0'));
    const child = spawn(process.execPath, [join(folder, file as string), ...local]);
    const output = outputOf(child);
    const url = await new Promise<string | undefined>((resolve) => {
      child.stdout.on('data', (bytes) => resolve(/sandbox listening on (\S+)/.exec(String(bytes))?.[1]));
      child.once('exit', () => resolve(undefined));
    });
    if (url) expect((await fetch(new URL('/sandbox/calls', url))).status).toBe(200);
    child.kill('SIGTERM');
    expect([url, await output]).toEqual([
      expect.stringMatching(/^http:/),
      expect.objectContaining({ code: 0 }),
    ]);
  });

  it('serves GraphiQL with every file that the page loads, and sends traces', async () => {
    const { environment, bodies } = forTest(await startCollector());
    const traces = { ...environment, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf' };
    const { url, stop } = await startProcess({ GRAPHIQL: 'true', ...traces }, entry);
    const page = await (await fetch(url, { headers: { accept: 'text/html' } })).text();
    const files = [...page.matchAll(/(?:src|href)="([^"]*graphiql\/[^"]+)"/g)].map(([, path = '']) => path);
    expect(files.length).toBeGreaterThan(1);
    for (const path of [...files, '/graphiql/graphql-ws/client.js', '/graphiql/ready.json']) {
      const response = await fetch(new URL(path, url));
      expect([path, response.status]).toEqual([path, 200]);
      await response.arrayBuffer();
    }
    const { tabs } = (await (await fetch(new URL('/graphiql/ready.json', url))).json()) as { tabs: [] };
    expect(tabs.length).toBeGreaterThan(5);
    expect(await stop()).toBe(0);
    expect(bodies.length).toBeGreaterThan(0);
  });

  it('starts with the compiled code of the build, also in another folder, and has loaded that of event streams when it prints its address', async () => {
    const copied = join(project, 'copied');
    cpSync(folder, copied, { recursive: true });
    const gateway = await startProcess({ NODE_DEBUG_NATIVE: 'COMPILE_CACHE' }, join(copied, 'main.js'));
    expect(gateway.lines.join('\n')).toMatch(/code cache for ESM .*gateway\.js was accepted/);
    // The small files only name another one.
    for (const path of globSync(join(copied, '*.js'))) if (statSync(path).size > 1_000) rmSync(path);
    const { body } = await fetch(gateway.url, {
      method: 'POST',
      headers: { ...alice, 'content-type': 'application/json', accept: 'text/event-stream' },
      body: '{"query":"subscription { malaysiaStatusChanged(documentId: \\"2001\\") { state } }"}',
    });
    let events = '';
    for await (const chunk of body ?? []) {
      events += Buffer.from(chunk).toString();
      if (events.includes('QUEUED')) break;
    }
    expect(events).toContain('QUEUED');
  });

  it('is a package whose command starts the gateway under an older Node too, and explains a request', async () => {
    for (const name of Object.keys(packageJson.optionalDependencies)) {
      const path = `node_modules/${name}`;
      if (existsSync(path)) symlinkSync(resolve(path), join(project, path));
    }
    const command = join(installed, 'folio.cjs');
    const gateway = await startProcess({}, command, project, olderNode());
    expect(await gateway.ask('{ __typename }')).toMatchObject({ data: { __typename: 'Query' } });
    expect([await gateway.stop(), gateway.lines.at(-1)]).toEqual([0, expect.stringContaining('stopped')]);

    const why = spawnSync(olderNode(), [command, 'why', 'abc'], { input: '', encoding: 'utf8' });
    expect([why.status, why.stdout]).toEqual([
      1,
      expect.stringMatching(/^No line is about the request abc\./),
    ]);
  });

  it('handles signals before it loads the gateway, since the first process of a container ignores them otherwise', () => {
    const hook = "process.on('newListener', (name) => /^SIG(TERM|INT)$/.test(name) && console.log(name))";
    const parameters = ['--import', `data:text/javascript,${encodeURIComponent(hook)}`, entry, '--version'];
    const { stdout } = spawnSync(process.execPath, parameters, { encoding: 'utf8' });
    expect(stdout).toBe(`SIGTERM\nSIGINT\n${packageJson.version}\n`);
  });

  it('has only files that every user may read', () => {
    // Written last. The gateways of tests have added compiled code of what they have loaded.
    const builtAt = statSync(join(folder, 'LICENSES.txt')).mtimeMs;
    const built = globSync('**', { cwd: folder })
      .map((path) => ({ path, ...statSync(join(folder, path)) }))
      .filter(({ mtimeMs }) => mtimeMs <= builtAt);
    expect(built.some(({ path }) => path.startsWith('compiled/'))).toBe(true);
    expect(built.filter(({ mode }) => (mode & 0o444) !== 0o444)).toEqual([]);
  });

  it('is a package without dependencies for another server that brings its own Node', () => {
    const { values } = parseArgs({ args: ['--without-node'], options: buildOptions });
    const { optionalDependencies, ...others } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    );
    expect(bundleManifest(values)).toEqual({ ...others, engines: { node: '>=22.19.0' } });
    expect(others).not.toHaveProperty('dependencies');
    expect(optionalDependencies).toEqual(packageJson.optionalDependencies);

    const withoutNode = temporaryFolder();
    for (const file of ['folio.cjs', 'stop-with-parent.cjs'])
      cpSync(join(folder, file), join(withoutNode, file));
    writeFileSync(join(withoutNode, 'package.json'), JSON.stringify(bundleManifest(values)));
    const older = "data:text/javascript,Object.defineProperty(process.versions,'node',{value:'22.19.0'})";
    const parameters = ['--import', older, join(withoutNode, 'folio.cjs')];
    const { status, stderr } = spawnSync(process.execPath, parameters, { encoding: 'utf8' });
    expect([status, stderr]).toEqual([1, expect.stringContaining('run Folio under Node 26')]);
  });

  it('is a handler inside of another server, which may run Node 22, with types', () => {
    symlinkSync(resolve('node_modules/@types'), join(project, 'node_modules/@types'));
    writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(project, 'host.ts'), host);
    const node22 = pathToFileURL(resolve('test/support/node-22.ts')).href;
    const parameters = ['--import', node22, join(project, 'host.ts')];
    const { stdout, stderr, status } = spawnSync(process.execPath, parameters, { encoding: 'utf8' });
    expect([stdout, stderr, status]).toEqual(['VALID COMPLETED QUEUED\n', '', 0]);
    const target = ['--module', 'nodenext', '--target', 'esnext', '--types', 'node'];
    const options = ['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', ...target];
    const tsc = [resolve('node_modules/typescript/bin/tsc'), ...options, 'host.ts'];
    const problems = spawnSync(process.execPath, tsc, { cwd: project, encoding: 'utf8' }).stdout;
    expect(problems).toBe('');
  });

  it('contains the license of every package that production depends on', () => {
    const licenses = readFileSync(join(folder, 'LICENSES.txt'), 'utf8');
    for (const [name, version] of Object.entries(packageJson.dependencies)) {
      expect(licenses).toContain(`${name} ${version} (`);
    }
    expect(licenses).not.toContain('undefined');
    expect(readdirSync(folder)).not.toContain('node_modules');
  });
});
