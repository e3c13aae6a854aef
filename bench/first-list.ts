/**
 * Measures each client from an empty folder: installs the packed `@folio/client` and the client's packages, copies its
 * example, and waits in Chromium until its list shows the final states:
 *
 *     npm run first-list              # all clients
 *     npm run first-list -- apollo    # some
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { startBrowser } from '../test/support/browser.ts';
import { eventually } from '../test/support/eventually.ts';
import { killProcesses, startProcess } from '../test/support/process.ts';
import { freePort } from '../test/support/redis.ts';

const run = promisify(execFile);

/** As in a project of Vite. */
const typeCheck = [
  ...['--noEmit', '--strict', '--skipLibCheck', '--allowImportingTsExtensions', '--jsx', 'react-jsx'],
  ...['--target', 'es2024', '--lib', 'es2024,dom', '--module', 'esnext', '--moduleResolution', 'bundler'],
];

interface Client {
  /** Packages besides `@folio/client`, Vite and TypeScript. */
  readonly packages: readonly string[];
  /** The plugin of Vite, and its call. */
  readonly plugin?: readonly [packageName: string, imported: string, call: string];
  /** A command before the start, for generated code. */
  readonly generate?: readonly string[];
  /** The Node program of a server that renders the page itself, without Vite. */
  readonly server?: readonly string[];
  /** The manifest that the client sends hashes of. */
  readonly manifest?: string;
}

const react = ['react', 'react-dom', '@types/react', '@types/react-dom'];

const clients: Readonly<Record<string, Client>> = {
  apollo: { packages: [...react, '@apollo/client', 'rxjs'] },
  urql: { packages: ['@urql/core', '@urql/exchange-graphcache', 'wonka'] },
  tanstack: { packages: [...react, '@tanstack/react-query', '@tanstack/query-core'] },
  relay: {
    packages: ['relay-runtime', '@types/relay-runtime', 'relay-compiler'],
    generate: ['relay-compiler', 'relay.config.json'],
    manifest: 'persisted-documents.json',
  },
  react: { packages: react },
  vue: { packages: ['vue', '@vitejs/plugin-vue'], plugin: ['@vitejs/plugin-vue', 'vue', 'vue()'] },
  svelte: {
    packages: ['svelte', '@sveltejs/vite-plugin-svelte'],
    plugin: ['@sveltejs/vite-plugin-svelte', '{ svelte }', 'svelte()'],
  },
  node: { packages: [], server: ['src/main.ts'] },
  next: {
    packages: [...react, 'next', 'typescript', '@types/node'],
    server: ['node_modules/next/dist/bin/next', 'dev', '--hostname', '127.0.0.1'],
  },
};

interface Measured {
  readonly installMs: number;
  readonly startMs: number;
  /** From the request of the page until the list shows the final states. */
  readonly listMs: number;
  /** Lines of the application that are not shared by all examples, without empty ones and comments. */
  readonly lines: number;
}

/** `tarball`: of `npm run client`. `shown`: what the page shows in the end. */
async function measure(name: string, tarball: string, browser: Browser): Promise<Measured> {
  const { packages, plugin, generate, manifest, server: ownServer } = clients[name] as Client;
  const folder = mkdtempSync(join(tmpdir(), `folio-${name}-`));
  const example = resolve('examples/clients', name);
  const source = join(folder, 'src');
  mkdirSync(source);
  cpSync(example, source, { recursive: true });
  cpSync('examples/clients/invoices.ts', join(source, 'invoices.ts'));
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  const began = Date.now();
  const tools = ownServer ? [] : ['vite'];
  const options = ['--no-audit', '--no-fund', '--silent'];
  await run('npm', ['install', ...options, tarball, ...tools, ...packages], { cwd: folder });
  const installed = Date.now();
  if (generate) {
    cpSync('schema.graphql', join(folder, 'schema.graphql'));
    cpSync(join(source, 'relay.config.json'), join(folder, 'relay.config.json'));
    mkdirSync(join(source, '__generated__'));
    writeFileSync(join(folder, manifest as string), '{}');
    await run(join(folder, 'node_modules/.bin', generate[0] as string), generate.slice(1), { cwd: folder });
  }
  const gateway = await startProcess({
    UPSTREAM_URL: 'sandbox',
    SANDBOX_SPEED: '10',
    MALAYSIA_POLL_MIN_MS: '100',
    MALAYSIA_POLL_MAX_MS: '500',
    ...(manifest && { PERSISTED_OPERATIONS: join(folder, manifest), PERSISTED_OPERATIONS_ONLY: 'true' }),
  });
  const port = await freePort();
  const target = new URL(gateway.url).origin;
  writeFileSync(
    join(folder, 'vite.config.js'),
    `${plugin ? `import ${plugin[1]} from '${plugin[0]}';` : ''}
export default {
  plugins: [${plugin?.[2] ?? ''}],
  server: { port: ${port}, host: '127.0.0.1', proxy: { '/graphql': { target: '${target}', ws: true } } },
};\n`,
  );
  const entry = globSync('main.*', { cwd: source })[0];
  const html = `<!doctype html><div id="app"></div><script type="module" src="/src/${entry}"></script>\n`;
  writeFileSync(join(folder, 'index.html'), html);
  const program = ownServer ?? ['node_modules/vite/bin/vite.js'];
  const server = spawn(process.execPath, program, {
    cwd: folder,
    env: { ...process.env, FOLIO_URL: gateway.url, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    const url = `http://127.0.0.1:${port}/`;
    await eventually(() => fetch(url));
    const started = Date.now();
    const page = await browser.newPage();
    page.on('pageerror', (error) => console.error(`${name}: ${error.message}`));
    await page.goto(url);
    const texts = ownServer ? ['INVALID'] : ['VALIDATED', 'FAILED'];
    for (const text of texts) {
      const shown = page.getByText(new RegExp(`\\b${text}\\b`)).first();
      await shown.waitFor({ timeout: 60_000 });
    }
    const [installMs, startMs, listMs] = [installed - began, started - installed, Date.now() - started];
    await page.close();
    if (!plugin && !ownServer)
      await run(resolve('node_modules/.bin/tsc'), [...typeCheck, `src/${entry}`], { cwd: folder });
    return { installMs, startMs, listMs, lines: linesOf(example) };
  } finally {
    const ended = once(server, 'exit');
    server.kill();
    await ended;
    gateway.process.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  }
}

function linesOf(example: string): number {
  return globSync('**/*.{ts,tsx,vue,svelte}', { cwd: example })
    .flatMap((file) => readFileSync(join(example, file), 'utf8').split('\n'))
    .filter((line) => !/^\s*($|\/\/|\/?\*|<!--)/.test(line)).length;
}

if (import.meta.main) {
  const folder = mkdtempSync(join(tmpdir(), 'folio-client-'));
  await run(process.execPath, ['scripts/client.ts', '--to', join(folder, 'client')]);
  const [tarball = ''] = globSync('*.tgz', { cwd: folder });
  const browser = await startBrowser();
  try {
    const names = process.argv.slice(2);
    console.log('| client | installation | start | live list | lines |\n| --- | --- | --- | --- | --- |');
    for (const name of names.length > 0 ? names : Object.keys(clients)) {
      const { installMs, startMs, listMs, lines } = await measure(name, join(folder, tarball), browser);
      const seconds = [installMs, startMs, listMs].map((ms) => `${(ms / 1_000).toFixed(1)} s`);
      console.log(`| ${[name, ...seconds, lines].join(' | ')} |`);
    }
  } finally {
    await browser.close();
    killProcesses();
    rmSync(folder, { recursive: true });
  }
}
