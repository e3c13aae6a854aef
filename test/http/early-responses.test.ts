/** Responses to requests whose operation never runs: each in the media type that the client accepts. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { ApolloClient, CombinedGraphQLErrors, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { createFetchServer } from '../../src/http/fetch/server.ts';
import { createHttpServer } from '../../src/http/server.ts';
import { maskError } from '../../src/operation/error-masking.ts';
import type { Pipeline } from '../../src/operation/pipeline.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { alice, sendUpload, startTestGateway, type TestGateway, upload } from '../support/gateway.ts';
import { hang, startService, type TestService } from '../support/service.ts';
import { aShares } from '../support/shares.ts';

/** The `accept` header of a client, and the media type of the response. */
const negotiated = [
  ['nothing', undefined, 'application/json; charset=utf-8'],
  ['anything', '*/*', 'application/json; charset=utf-8'],
  ['application/json', 'application/json', 'application/json; charset=utf-8'],
  [
    'the types of Apollo Client',
    'application/graphql-response+json,application/json;q=0.9',
    'application/graphql-response+json; charset=utf-8',
  ],
  [
    'the types of urql',
    'application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed',
    'application/graphql-response+json; charset=utf-8',
  ],
  ['an event stream', 'text/event-stream', 'text/event-stream'],
  ['a multipart stream', 'multipart/mixed', 'multipart/mixed; boundary="-"'],
] as const;

/** The first GraphQL result of a body, whatever its media type. */
function resultIn(body: string): { errors: { extensions: Record<string, unknown> }[]; data?: unknown } {
  const line = body.split(/\r?\n/).find((text) => text.includes('{"'));
  return JSON.parse((line ?? '').replace(/^data: /, ''));
}

const drainRefusal = { code: 'SHUTTING_DOWN', sideEffect: 'NONE', retryable: true, retryAfterMs: 1000 };

interface LateSender {
  readonly url: string;
  close(): void;
}

/** A proxy whose one connection to the gateway has begun a request, so that the gateway does not close it as idle. */
async function startLateSender({ url }: TestGateway): Promise<LateSender> {
  const begun = connect(Number(new URL(url).port), '127.0.0.1');
  const requestLine = 'POST /graphql HTTP/1.1\r\n';
  begun.on('error', () => {}).write(requestLine);
  const server = createServer((client) => {
    client
      .on('error', () => {})
      .once('data', (head: Buffer) => {
        begun.write(head.subarray(head.indexOf('\n') + 1));
        client.pipe(begun).pipe(client);
      });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    begun.destroy();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`, close };
}

describe('a request to a gateway that drains', () => {
  let service: TestService;
  let gateway: TestGateway;
  let drained: Promise<unknown>;
  let late: LateSender;
  beforeEach(async () => {
    service = await startService(hang);
    gateway = await startTestGateway({ UPSTREAM_URL: service.url });
    // A write in progress keeps the gateway running.
    const write = gateway.ask('mutation { createGroup(input: {}) { __typename } }').catch(() => {});
    while (service.received.length === 0) await new Promise(setImmediate);
    late = await startLateSender(gateway);
    const idle = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    // The gateway has accepted the connection when it responds.
    idle.write('GET /health HTTP/1.1\r\nhost: a\r\n\r\n');
    await once(idle, 'data');
    drained = Promise.all([gateway.close(), write]);
    // Requests that begin on open connections are served until those that are idle are closed.
    await new Promise((resolve) =>
      idle
        .on('error', () => {})
        .resume()
        .once('close', resolve),
    );
  });
  afterEach(async () => {
    service.cut();
    late.close();
    await drained;
    await service.close();
  });

  it.each(negotiated)(
    'gets SHUTTING_DOWN in the media type that it accepts: %s',
    async (_what, accept, contentType) => {
      const response = await fetch(late.url, {
        method: 'POST',
        headers: { ...alice, 'content-type': 'application/json', ...(accept && { accept }) },
        body: '{"query":"{ __typename }"}',
      });
      expect([response.status, response.headers.get('content-type')]).toEqual([503, contentType]);
      expect(response.headers.get('retry-after')).toBe('1');
      expect(response.headers.get('cache-control')).toBe('no-store');
      const body = await response.text();
      const { errors, data } = resultIn(body);
      expect(data).toBeUndefined();
      expect(errors).toMatchObject([{ extensions: drainRefusal }]);
      expect(errors[0]?.extensions['requestId']).toBe(response.headers.get('x-request-id'));
      if (accept === 'text/event-stream') expect(body).toMatch(/\nevent: complete\ndata:\n\n$/);
      expect(service.received).toHaveLength(1);
    },
  );

  it('is a GraphQL error with extensions in Apollo Client, and not a ServerError', async () => {
    const client = new ApolloClient({
      link: new HttpLink({ uri: late.url, headers: alice }),
      cache: new InMemoryCache(),
    } as unknown as ConstructorParameters<typeof ApolloClient>[0]);
    const mutation = gql`mutation { createGroup(input: {}) { __typename } }`;
    const error: unknown = await client.mutate({ mutation }).catch((thrown: unknown) => thrown);
    client.stop();
    expect(error).toBeInstanceOf(CombinedGraphQLErrors);
    expect((error as CombinedGraphQLErrors).errors).toMatchObject([{ extensions: drainRefusal }]);
  });

  it('with a file gets SHUTTING_DOWN, and its connection is not closed during the upload', async () => {
    const file = { bytes: Buffer.alloc(8 * 1024 * 1024), name: 'card.png' };
    const query = `mutation ($file: Upload!) { scanIdentityCard(input: { file: $file, queueId: "1" }) { __typename } }`;
    const answer = await sendUpload(
      { ...gateway, url: late.url },
      upload(query, { file: null }, 'variables.file', file),
    );
    expect(answer.status).toBe(503);
    expect(answer.errors).toMatchObject([{ extensions: drainRefusal }]);
  });
});

describe('a request that accepts no media type of GraphQL', () => {
  let service: TestService;
  let gateway: TestGateway;
  beforeAll(async () => {
    service = await startService();
    gateway = await startTestGateway({ UPSTREAM_URL: service.url });
  });
  afterAll(async () => {
    await gateway.close();
    await service.close();
  });

  it.each(['text/html', 'image/*', 'application/json; charset=utf-16'])(
    'is refused before its mutation runs (%s)',
    async (accept) => {
      const response = await fetch(gateway.url, {
        method: 'POST',
        headers: { ...alice, 'content-type': 'application/json', accept },
        body: '{"query":"mutation { createGroup(input: {}) { __typename } }"}',
      });
      expect([response.status, response.headers.get('content-type')]).toEqual([
        406,
        'application/json; charset=utf-8',
      ]);
      expect(await response.json()).toMatchObject({
        errors: [{ extensions: { code: 'BAD_REQUEST', sideEffect: 'NONE', retryable: false } }],
      });
      expect(service.received).toHaveLength(0);
    },
  );
});

describe('a request that fails outside of its operation', () => {
  const lines: string[] = [];
  const pipeline = {
    prepare: () => ({ operation: { operation: 'mutation' } }),
    execute: async () => ({ data: 1n }),
    refuse: (error: unknown, requestId: string) => [maskError(error, { requestId })],
  } as unknown as Pipeline;
  const options = () => ({
    config: readConfig({ PORT: '0' }),
    pipeline,
    laneOf: () => 'lane' as never,
    shares: aShares(),
    log: createLog({
      level: 'error',
      production: true,
      destination: { write: (line: string) => void lines.push(line) } as never,
    }),
    metrics: createMetrics('test'),
    degraded: () => [],
  });
  const time = { graceMs: 1_000, graceOver: new Promise<void>(() => {}) };
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json' },
    body: '{"query":"mutation { a }"}',
  };

  it.each<[name: string, respond: () => Promise<Response>]>([
    [
      'a server',
      async () => {
        const server = createHttpServer(options());
        const response = await fetch(`http://127.0.0.1:${await server.listen()}/graphql`, init);
        await server.drain(time);
        return response;
      },
    ],
    [
      'a handler of Request objects',
      () => createFetchServer(options()).fetch(new Request('http://folio.test', init)),
    ],
  ])(
    'gets INTERNAL_SERVER_ERROR in the media type it accepts, with POSSIBLE, because its operation has run: %s',
    async (_name, respond) => {
      lines.length = 0;
      const response = await respond();
      expect([response.status, response.headers.get('content-type')]).toEqual([
        500,
        'application/graphql-response+json; charset=utf-8',
      ]);
      expect(await response.json()).toMatchObject({
        errors: [{ extensions: { code: 'INTERNAL_SERVER_ERROR', sideEffect: 'POSSIBLE' } }],
      });
      expect(lines.join('')).toContain('TypeError');
    },
  );
});
