import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { createServer as createHttpServer, request } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { startTestGateway } from '../support/gateway.ts';
import { killProcesses, startProcess } from '../support/process.ts';
import * as does from '../support/service.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  killProcesses();
  for (const close of closing.splice(0)) await close();
});

const status = does.json(200, { status: 'queued' });
const read = { query: '{ malaysiaStatus(documentId: "1") { state } }' };
const expected = { data: { malaysiaStatus: { state: 'QUEUED' } } };

/** Sends a query to a gateway in a separate process: Node reads these variables when it starts. */
async function ask(environment: Record<string, string>) {
  const { url } = await startProcess(environment);
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(read),
  });
  return await response.json();
}

async function aService() {
  const service = await does.startService(status);
  closing.push(service.close);
  return service;
}

/** A proxy that opens tunnels, forwards plain requests, and records both. */
async function aProxy() {
  const forwarded: string[] = [];
  const server = createHttpServer((incoming, outgoing) => {
    forwarded.push(`${incoming.method} ${incoming.url}`);
    const onward = request(incoming.url as string, { method: incoming.method, headers: incoming.headers });
    onward.on('response', (response) => {
      outgoing.writeHead(response.statusCode as number, response.headers);
      response.pipe(outgoing);
    });
    incoming.pipe(onward);
  });
  server.on('connect', ({ url = '' }, socket) => {
    forwarded.push(`CONNECT ${url}`);
    const { hostname, port } = new URL(`http://${url}`);
    // The proxy resolves names: this one is on loopback.
    const target = connect(Number(port), hostname === 'service.test' ? '127.0.0.1' : hostname);
    target.on('connect', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
    target.pipe(socket).pipe(target);
    for (const end of [socket, target]) end.on('error', () => {});
    closing.push(() => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => server.close());
  return { forwarded, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** A service with TLS whose certificate no system trusts. */
async function aTlsService() {
  const folder = mkdtempSync(join(tmpdir(), 'tls-'));
  const file = (name: string) => join(folder, name);
  const names = 'subjectAltName=DNS:service.test,IP:127.0.0.1';
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '2',
    ].concat([
      '-subj',
      '/CN=service.test',
      '-addext',
      names,
      '-keyout',
      file('key.pem'),
      '-out',
      file('certificate.pem'),
    ]),
    { stdio: 'ignore' },
  );
  const server = createHttpsServer(
    { key: readFileSync(file('key.pem')), cert: readFileSync(file('certificate.pem')) },
    (request, response) => status(request, response),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return { port: (server.address() as AddressInfo).port, certificate: file('certificate.pem') };
}

it('the path of the base URL precedes the path of every endpoint, and the gateway sends its user agent', async () => {
  const service = await aService();
  const gateway = await startTestGateway({ UPSTREAM_URL: `${service.url}/a/prefix/` });
  await gateway.ask(read.query);
  await gateway.close();
  expect(service.received[0]).toMatchObject({
    path: '/a/prefix/v2/einvoice/malaysia/status/1',
    headers: { 'user-agent': `folio/${packageJson.version}` },
  });
});

it('a certificate is trusted only if NODE_EXTRA_CA_CERTS names its authority', async () => {
  const { port, certificate } = await aTlsService();
  const environment = { UPSTREAM_URL: `https://127.0.0.1:${port}`, UPSTREAM_READ_DEADLINE_MS: '2000' };
  const { errors } = (await ask(environment)) as { errors: { extensions: object }[] };
  expect(errors[0]?.extensions).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', sideEffect: 'NONE' });
  expect(await ask({ ...environment, NODE_EXTRA_CA_CERTS: certificate })).toEqual(expected);
});

it('an https service is reached through a tunnel of HTTPS_PROXY', async () => {
  const { port, certificate } = await aTlsService();
  const proxy = await aProxy();
  const environment = {
    UPSTREAM_URL: `https://service.test:${port}`,
    NODE_EXTRA_CA_CERTS: certificate,
    HTTPS_PROXY: proxy.url,
  };
  expect(await ask(environment)).toEqual(expected);
  expect(proxy.forwarded).toEqual([`CONNECT service.test:${port}`]);
});

it.each(['HTTP_PROXY', 'http_proxy'])('an http service is reached through %s', async (name) => {
  const service = await aService();
  const proxy = await aProxy();
  expect(await ask({ UPSTREAM_URL: service.url, [name]: proxy.url })).toEqual(expected);
  expect(proxy.forwarded).toEqual([`GET ${service.url}/v2/einvoice/malaysia/status/1`]);
});

it('a host of NO_PROXY is reached without a proxy', async () => {
  const service = await aService();
  const proxy = await aProxy();
  const environment = { UPSTREAM_URL: service.url, HTTP_PROXY: proxy.url, NO_PROXY: 'example.org,127.0.0.1' };
  expect(await ask(environment)).toEqual(expected);
  expect(proxy.forwarded).toEqual([]);
});

it('the embedded sandbox is reached without a proxy', async () => {
  const proxy = await aProxy();
  const { data } = (await ask({ HTTP_PROXY: proxy.url })) as { data: unknown };
  expect(data).toEqual({ malaysiaStatus: null });
  expect(proxy.forwarded).toEqual([]);
});

it('a proxy that is down causes an error without side effect', async () => {
  const service = await aService();
  const gateway = await startTestGateway({ UPSTREAM_URL: service.url, HTTP_PROXY: 'http://127.0.0.1:1' });
  const { errors } = await gateway.ask('mutation { createGroup(input: {}) { __typename } }');
  await gateway.close();
  expect(errors?.[0]?.extensions).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', sideEffect: 'NONE' });
  expect(service.received).toEqual([]);
});
