import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener, request } from 'node:http';
import { createSecureServer } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import { connect, createServer, type Server } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeCertificate } from '../support/certificate.ts';
import { startTestGateway } from '../support/gateway.ts';
import { forFile, forTest, serviceForFile } from '../support/lifetimes.ts';
import { listen } from '../support/listen.ts';
import { startProcess } from '../support/process.ts';
import * as does from '../support/service.ts';

const status = does.json(200, { status: 'queued' });
const service = await serviceForFile(status);
const read = '{ malaysiaStatus(documentId: "1") { state } }';
const expected = { malaysiaStatus: { state: 'QUEUED' } };
const unavailable = { code: 'UPSTREAM_UNAVAILABLE', sideEffect: 'NONE' };

async function ask(
  environment: Record<string, string>,
  start: typeof startProcess | typeof startTestGateway,
) {
  const gateway = forTest(await start(environment));
  return await gateway.ask(read);
}

/** A proxy that opens tunnels, forwards plain requests, and records both. */
async function aProxy(createServer: (onRequest: RequestListener) => Server = createHttpServer) {
  const forwarded: string[] = [];
  /** Whether it answers a request for a tunnel. */
  let isAnswering = true;
  const server = createServer((incoming, outgoing) => {
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
    if (!isAnswering) {
      socket.resume().on('end', () => socket.destroy());
      return;
    }
    const { hostname, port } = new URL(`http://${url}`);
    // The proxy resolves names: this one is on loopback.
    const target = connect(Number(port), hostname === 'service.test' ? '127.0.0.1' : hostname);
    target.on('connect', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
    target.pipe(socket).pipe(target);
    for (const end of [socket, target]) end.on('error', () => {});
  });
  const { url } = forTest(await listen(server));
  return {
    forwarded,
    url,
    stopAnswering: () => (isAnswering = false),
    answer: () => (isAnswering = true),
  };
}

const { file: certificate, keyFile } = makeCertificate(forFile);
const tls = { key: readFileSync(keyFile), cert: readFileSync(certificate) };
/** A service with TLS whose certificate no system trusts. */
const { port } = forFile(await listen(createHttpsServer(tls, status)));

it('a certificate is trusted only if NODE_EXTRA_CA_CERTS names its authority', async () => {
  const environment = { UPSTREAM_URL: `https://127.0.0.1:${port}`, UPSTREAM_READ_DEADLINE_MS: '20000' };
  expect((await ask(environment, startTestGateway)).errors?.[0]?.extensions).toMatchObject(unavailable);
  expect((await ask({ ...environment, NODE_EXTRA_CA_CERTS: certificate }, startProcess)).data).toEqual(
    expected,
  );
});

describe('an https service', () => {
  /** Of the process, which reads NODE_EXTRA_CA_CERTS only when it starts. */
  const trusted = getCACertificates('default');
  beforeAll(() => setDefaultCACertificates([tls.cert]));
  afterAll(() => setDefaultCACertificates(trusted));
  const UPSTREAM_URL = `https://service.test:${port}`;

  const aTlsProxy = async () => {
    const proxy = await aProxy((onRequest) =>
      createSecureServer({ ...tls, allowHTTP1: true }, onRequest as never),
    );
    return { ...proxy, url: proxy.url.replace('http://127.0.0.1', 'https://localhost') };
  };

  it.each([
    ['a tunnel of HTTPS_PROXY', 'HTTPS_PROXY', aProxy],
    ['a tunnel of HTTP_PROXY', 'HTTP_PROXY', aProxy],
    ['a proxy with TLS that prefers HTTP/2', 'HTTPS_PROXY', aTlsProxy],
  ])('is reached through %s', async (_what, name, start) => {
    const { url, forwarded } = await start();
    expect((await ask({ UPSTREAM_URL, [name]: url }, startTestGateway)).data).toEqual(expected);
    expect(forwarded).toEqual([`CONNECT service.test:${port}`]);
  });

  it('is called soon after a proxy answers again that had opened no tunnels', async () => {
    const proxy = await aProxy();
    const gateway = forTest(
      await startTestGateway({
        UPSTREAM_URL,
        UPSTREAM_CONNECTIONS: '1',
        UPSTREAM_READ_DEADLINE_MS: '1000',
        HTTPS_PROXY: proxy.url,
      }),
    );
    proxy.stopAnswering();
    const { errors } = await gateway.ask(read);
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'UPSTREAM_TIMEOUT', sideEffect: 'NONE' });
    proxy.answer();
    const dataOf = async () => (await gateway.ask(read)).data;
    await expect.poll(dataOf).toEqual(expected);
  });
});

it.each(['HTTP_PROXY', 'http_proxy'])('an http service is reached through %s', async (name) => {
  const proxy = await aProxy();
  expect((await ask({ UPSTREAM_URL: service.url, [name]: proxy.url }, startTestGateway)).data).toEqual(
    expected,
  );
  expect(proxy.forwarded).toEqual([`GET ${service.url}/v2/einvoice/malaysia/status/1`]);
});

it.each(['example.org,127.0.0.1', 'fd00::/8, 127.0.0.0/8'])(
  'a host of NO_PROXY, by its name or in one of its networks, is reached without a proxy: %s',
  async (NO_PROXY) => {
    const proxy = await aProxy();
    const environment = { UPSTREAM_URL: service.url, HTTP_PROXY: proxy.url, NO_PROXY };
    expect((await ask(environment, startTestGateway)).data).toEqual(expected);
    expect(proxy.forwarded).toEqual([]);
  },
);

it('a proxy of the process that is not one of the gateway is not used', async () => {
  vi.stubEnv('HTTP_PROXY', 'http://127.0.0.1:1');
  forTest({ close: vi.unstubAllEnvs });
  const environment = { UPSTREAM_URL: service.url, HTTPS_PROXY: 'http://127.0.0.1:1' };
  expect((await ask(environment, startTestGateway)).data).toEqual(expected);
});

it('the embedded sandbox is reached without a proxy', async () => {
  const proxy = await aProxy();
  expect((await ask({ HTTP_PROXY: proxy.url }, startTestGateway)).data).toEqual({ malaysiaStatus: null });
  expect(proxy.forwarded).toEqual([]);
});

/** The address of a proxy that refuses every request. */
async function aRefusingProxy(): Promise<string> {
  const refuse = createHttpServer((incoming, outgoing) =>
    incoming.resume().on('end', () => outgoing.writeHead(407).end('refused')),
  );
  return forTest(await listen(refuse)).url;
}

it.each([
  ['is down', async () => 'http://127.0.0.1:1', unavailable],
  [
    'refuses its credentials',
    aRefusingProxy,
    { code: 'UPSTREAM_BAD_RESPONSE', sideEffect: 'NONE', upstream: { status: 407 } },
  ],
])('a proxy that %s causes an error without side effect, also of a write', async (_what, proxy, error) => {
  const gateway = forTest(await startTestGateway({ UPSTREAM_URL: service.url, HTTP_PROXY: await proxy() }));
  const { errors } = await gateway.ask('mutation { createGroup(input: {}) { __typename } }');
  expect(errors?.[0]?.extensions).toMatchObject(error);
  expect(service.received).toEqual([]);
});

it('a connection on which a proxy refuses a request without end is closed', async () => {
  const closed = Promise.withResolvers<void>();
  const proxy = createServer((socket) => {
    socket.on('error', () => {}).on('close', () => closed.resolve());
    socket.once('data', () => socket.write('HTTP/1.1 407 \r\ncontent-length: 9\r\n\r\nrefused'));
  });
  const { url } = forTest(await listen(proxy));
  const gateway = forTest(await startTestGateway({ UPSTREAM_URL: service.url, HTTP_PROXY: url }));
  const { errors } = await gateway.ask(read);
  expect(errors?.[0]?.extensions).toMatchObject({ upstream: { status: 407 } });
  await closed.promise;
});
