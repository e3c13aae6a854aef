/** A page that uploads through a proxy gets the response that refuses the upload, and not a lost connection. */
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import type { Browser } from 'playwright-core';
import { createServer } from 'vite';
import { describe, expect, it } from 'vitest';
import { hasBrowser, startBrowser } from '../support/browser.ts';
import { withKey } from '../support/gateway.ts';
import { forFile, forTest } from '../support/lifetimes.ts';
import { hasNginx, startNginx } from '../support/nginx.ts';
import { type GatewayProcess, startProcess } from '../support/process.ts';

const MiB = 1024 * 1024;

/** Runs in the page: uploads a file of this size, and returns the code of the first error. */
async function upload({ bytes, key }: { bytes: number; key: Record<string, string> }): Promise<string> {
  const query =
    'mutation ($file: Upload!) { scanIdentityCard(input: { file: $file, queueId: "1" }) { __typename } }';
  const form = new FormData();
  form.set('operations', JSON.stringify({ query, variables: { file: null } }));
  form.set('map', '{"0":["variables.file"]}');
  form.set('0', new Blob([new Uint8Array(bytes)]), 'card.png');
  const headers = { ...key, 'x-graphql-yoga-csrf': '1' };
  const response = await fetch('/graphql', { method: 'POST', headers, body: form });
  const { errors } = await response.json();
  return errors[0].extensions.code;
}

interface Proxy {
  readonly origin: string;
  close(): Promise<void>;
}

const closing = ['keepalive 64', 'proxy_http_version', 'proxy_set_header Connection'];
const proxies: [name: string, start: (target: string) => Promise<Proxy>][] = [
  ["Vite's proxy", (target) => startVite(target)],
  ["Vite's proxy with persistent connections", (target) => startVite(target, new Agent({ keepAlive: true }))],
];
if (hasNginx())
  proxies.push(
    ['nginx with ops/nginx.conf', (target) => startBalancer(target)],
    ['nginx with a connection for each request', (target) => startBalancer(target, closing)],
  );

async function startVite(target: string, agent?: Agent): Promise<Proxy> {
  const forward = { target, changeOrigin: false, ...(agent && { agent }) };
  const proxy = { '/graphql': { ...forward, ws: true }, '/health': forward };
  const server = await createServer({
    configFile: false,
    root: tmpdir(),
    logLevel: 'error',
    optimizeDeps: { noDiscovery: true },
    server: { host: '127.0.0.1', port: 0, proxy, watch: null },
  });
  await server.listen();
  const [url] = server.resolvedUrls?.local ?? [];
  return { origin: new URL(String(url)).origin, close: () => server.close() };
}

async function startBalancer(target: string, without: string[] = []): Promise<Proxy> {
  const { hostname, port } = new URL(target);
  const { url, close } = await startNginx(() => hostname, Number(port), without);
  return { origin: new URL(url).origin, close };
}

const browser = hasBrowser() ? forFile(await startBrowser()) : undefined;
const environment = { UPSTREAM_URL: 'sandbox', MAX_UPLOAD_BYTES: String(25 * MiB) };
const gateway = browser && forFile(await startProcess(environment));

describe.skipIf(!gateway)('an upload that the gateway refuses early', () => {
  it.each(proxies)('responds with its error through %s', async (_title, start) => {
    const page = forTest(await (browser as Browser).newPage());
    const { origin } = forTest(await start((gateway as GatewayProcess).origin));
    await page.goto(`${origin}/health`);
    expect(await page.evaluate(upload, { bytes: 24 * MiB, key: withKey('bad') })).toBe('UNAUTHENTICATED');
    expect(await page.evaluate(upload, { bytes: 26 * MiB, key: withKey('demo') })).toBe('PAYLOAD_TOO_LARGE');
  });
});
