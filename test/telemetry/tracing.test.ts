import { spawn } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startCollector, type TestCollector } from '../support/collector.ts';
import {
  type ConfigOverrides,
  sendUpload,
  startTestGateway,
  type TestGateway,
  upload,
} from '../support/gateway.ts';
import { outputOf } from '../support/process.ts';
import * as does from '../support/service.ts';

const validation = {
  documentId: '1',
  uuid: '00000000-0000-0000-0000-000000000000',
  validation_result: 'VALID',
  validatedAt: '2026-01-01T00:00:00Z',
  invalid_reason: null,
  steps: {},
};
const query = 'query Latest { mexicoValidation(by: { documentId: "4711" }) { result } }';

let service: does.TestService;
let collector: TestCollector;
beforeEach(async () => {
  service = await does.startService(does.json(200, validation));
  collector = await startCollector();
});
afterEach(async () => {
  await service.close();
  await collector.close();
});

/** Runs `act` on a gateway and returns the spans that it sent. Stopping the gateway sends the last ones. */
async function traced(
  act: (gateway: TestGateway) => Promise<unknown>,
  environment = {},
  overrides: ConfigOverrides = {},
) {
  const gateway = await startTestGateway(
    { UPSTREAM_URL: `${service.url}/base`, ...collector.environment, ...environment },
    overrides,
  );
  await act(gateway);
  await gateway.close();
  const named = (name: string) => collector.spans.filter((span) => span.name === name);
  return { gateway, named, only: (name: string) => named(name)[0] };
}

const call = 'GET /base/v2/einvoice/mexico/status/{idOrUuid}';

describe('a traced operation', () => {
  it('is a server span with its type and name, and without its text', async () => {
    const { only, named } = await traced((gateway) => gateway.ask(query));
    expect(named('query')).toHaveLength(1);
    expect(only('query')).toMatchObject({
      kind: 2,
      attributes: { 'graphql.operation.type': 'query', 'graphql.operation.name': 'Latest' },
      status: 0,
    });
    expect(only('query')?.attributes).not.toHaveProperty('graphql.document');
    expect(collector.resource).toMatchObject({
      'service.name': 'folio',
      'service.version': expect.any(String),
    });
  });

  it('has the service name of OTEL_SERVICE_NAME', async () => {
    vi.stubEnv('OTEL_SERVICE_NAME', 'folio-test');
    await traced((gateway) => gateway.ask(query));
    vi.unstubAllEnvs();
    expect(collector.resource).toMatchObject({ 'service.name': 'folio-test' });
  });

  it('continues the trace of its caller', async () => {
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const { only } = await traced((gateway) =>
      gateway.ask(
        query,
        {},
        { 'x-api-key': 'a', authorization: 'b', traceparent: `00-${traceId}-b7ad6b7169203331-01` },
      ),
    );
    expect(only('query')).toMatchObject({ traceId, parentSpanId: 'b7ad6b7169203331' });
    expect(only(call)).toMatchObject({ traceId });
  });

  it.each([
    'junk',
    '00-00000000000000000000000000000000-b7ad6b7169203331-01',
    'ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  ])('starts a new trace when the caller sends the traceparent %s', async (traceparent) => {
    const { only } = await traced((gateway) =>
      gateway.ask(query, {}, { 'x-api-key': 'a', authorization: 'b', traceparent }),
    );
    expect(only('query')?.parentSpanId).toBeUndefined();
  });

  it('has its trace id in its log line', async () => {
    const { gateway, only } = await traced((gateway) => gateway.ask(query));
    const line = gateway
      .log()
      .map((line) => JSON.parse(line))
      .find(({ msg }) => msg === 'operation');
    expect(line.traceId).toBe(only('query')?.traceId);
  });

  it('that fails has its error code', async () => {
    service.will(does.json(403, {}));
    const { only } = await traced((gateway) => gateway.ask(query));
    expect(only('query')).toMatchObject({ status: 2, attributes: { 'error.type': 'FORBIDDEN' } });
    expect(only(call)).toMatchObject({
      status: 2,
      attributes: { 'error.type': '403', 'http.response.status_code': 403 },
    });
  });

  it.each([
    ['the flag 00', '0af7651916cd43dd8448eb211c80319c', '00', 'parentbased_always_on', '1', 1],
    ['the flag 01', '0af7651916cd43dd8448eb211c80319c', '01', 'parentbased_always_off', '1', 0],
    ['the flag 01', '0af7651916cd43dd8448eb211c80319c', '01', 'parentbased_traceidratio', '0', 0],
    ['a low trace id', '00000000000000010000000000000001', '01', 'traceidratio', '0.000001', 0],
    ['a high trace id', 'ffffffffffffffffffffffffffffffff', '00', 'traceidratio', '0.999999', 1],
  ])(
    'continues the trace of its caller but is sampled by the gateway’s sampler: %s (%s-%s), %s %s',
    async (...sampled) => {
      const [, traceId, flags, sampler, ratio, spans] = sampled;
      const traceparent = `00-${traceId}-b7ad6b7169203331-${flags}`;
      const { named } = await traced(
        (gateway) => gateway.ask(query, {}, { 'x-api-key': 'a', authorization: 'b', traceparent }),
        { OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: ratio },
      );
      expect(named('query').map((span) => span.traceId)).toEqual(spans === 1 ? [traceId] : []);
      const flag = spans === 1 ? '01' : '00';
      expect(service.received[0]?.headers['traceparent']).toMatch(new RegExp(`^00-${traceId}-.*-${flag}$`));
    },
  );

  it('has no spans when the sampler is always_off', async () => {
    await traced((gateway) => gateway.ask(query), { OTEL_TRACES_SAMPLER: 'always_off' });
    expect(collector.spans).toEqual([]);
  });
});

describe('the trace of a caller', () => {
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const headersWith = (flags: string) => ({
    'x-api-key': 'a',
    authorization: 'b',
    traceparent: `00-${traceId}-b7ad6b7169203331-${flags}`,
    tracestate: 'vendor=opaque,other=1',
  });

  it('goes on to the service with its tracestate', async () => {
    await traced((gateway) => gateway.ask(query, {}, headersWith('01')));
    expect(service.received[0]?.headers).toMatchObject({
      traceparent: expect.stringContaining(traceId),
      tracestate: 'vendor=opaque,other=1',
    });
  });

  it.each([
    ['01', 1],
    ['00', 0],
  ])('decides with TRACE_PARENT_TRUSTED whether it is recorded: flag %s', async (flag, spans) => {
    const { named } = await traced((gateway) => gateway.ask(query, {}, headersWith(flag)), {
      TRACE_PARENT_TRUSTED: 'true',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: flag === '01' ? '0' : '1',
    });
    expect(named('query')).toHaveLength(spans);
    expect(service.received[0]?.headers['traceparent']).toMatch(new RegExp(`-${flag}$`));
  });

  it('has the status of the HTTP response and its path', async () => {
    const { only } = await traced((gateway) => gateway.ask(query));
    expect(only('query')?.attributes).toMatchObject({
      'http.response.status_code': 200,
      'url.path': '/graphql',
    });
  });

  it('has a span for the time in which a call waits for a slot', async () => {
    const two =
      'query Latest { a: mexicoValidation(by: { documentId: "1" }) { result } b: mexicoValidation(by: { documentId: "2" }) { result } }';
    const { only } = await traced((gateway) => gateway.ask(two), { UPSTREAM_CONCURRENCY_PER_CALLER: '1' });
    expect(only('wait for a slot')).toMatchObject({ parentSpanId: only('query')?.spanId });
  });
});

describe('a traced call to the service', () => {
  it('is a client span below its operation and sends its traceparent to the service', async () => {
    const { only } = await traced((gateway) => gateway.ask(query));
    const { port } = new URL(service.url);
    const span = only(call);
    expect(span).toMatchObject({
      kind: 3,
      parentSpanId: only('query')?.spanId,
      attributes: {
        'http.request.method': 'GET',
        'server.address': '127.0.0.1',
        'server.port': Number(port),
        'url.template': '/base/v2/einvoice/mexico/status/{idOrUuid}',
        'http.response.status_code': 200,
      },
    });
    expect(service.received[0]?.headers['traceparent']).toBe(`00-${span?.traceId}-${span?.spanId}-01`);
    expect(service.received[0]?.headers).not.toHaveProperty('tracestate');
  });

  it('has one span per attempt', async () => {
    service.will(does.reset, does.json(200, validation));
    const { named } = await traced((gateway) => gateway.ask(query));
    expect(named(call).map(({ attributes }) => attributes['http.request.resend_count'])).toEqual([
      undefined,
      1,
    ]);
    expect(named(call).map(({ status }) => status)).toEqual([2, 0]);
  });
});

it('an upload has a span with its number of bytes', async () => {
  service.will(does.json(200, { scanDocuments: { docId: 1, status: 'COMPLETED', data: {} } }));
  const { only } = await traced((gateway) =>
    sendUpload(
      gateway,
      upload(
        'mutation ($f: Upload!) { scanIdentityCard(input: { file: $f, queueId: "1" }) { __typename } }',
        { f: null },
        'variables.f',
        { bytes: 'x'.repeat(70_000), name: 'a.png' },
      ),
    ),
  );
  const scan = only('POST /base/v1/documents/scan/nric');
  expect(only('upload')).toMatchObject({
    parentSpanId: scan?.spanId,
    attributes: { 'folio.upload.bytes': 70_000 },
  });
});

it('a poll is a separate trace, linked to all subscriptions that it serves', async () => {
  service.will(does.json(200, { status: 'queued' }), does.json(200, { status: 'validated' }));
  const watch = { query: 'subscription { malaysiaStatusChanged(documentId: "1") { state } }' };
  const { named } = await traced(
    async (gateway) => {
      const first = gateway.webSocketClient().iterate(watch);
      await first.next();
      const second = gateway.webSocketClient().iterate(watch);
      for await (const _event of second);
      for await (const _event of first);
    },
    { MALAYSIA_POLL_MIN_MS: '300', MALAYSIA_POLL_MAX_MS: '300' },
  );
  const subscriptions = named('subscription')
    .map(({ spanId }) => spanId)
    .sort();
  const [before, after] = named('poll');
  expect(subscriptions).toHaveLength(2);
  expect(before?.parentSpanId).toBeUndefined();
  expect(before?.links).toHaveLength(1);
  expect(after?.links.map(({ spanId }) => spanId).sort()).toEqual(subscriptions);
  const calls = named('GET /base/v2/einvoice/malaysia/status/{documentId}');
  expect(calls.map(({ parentSpanId }) => parentSpanId)).toEqual([before?.spanId, after?.spanId]);
});

describe('the collector', () => {
  it('receives protocol buffers unless JSON is configured', async () => {
    await traced((gateway) => gateway.ask(query), { OTEL_EXPORTER_OTLP_PROTOCOL: '' });
    expect([...collector.contentTypes]).toEqual(['application/x-protobuf']);
    expect(collector.bodies.join()).toContain('mexico/status');
  });

  it('may be down: operations succeed, and the gateway stops in time', async () => {
    const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint = '' } = collector.environment;
    await collector.close();
    let answer: unknown;
    await traced(
      async (gateway) => {
        answer = (await gateway.ask(query)).data;
      },
      { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint },
    );
    expect(answer).toEqual({ mexicoValidation: { result: 'VALID' } });
    collector = await startCollector();
  });

  it('is optional: without it no part of the SDK is loaded', async () => {
    const script = `
      import { registerHooks } from 'node:module';
      registerHooks({ load(url, context, next) { if (/opentelemetry.(?!api)/.test(url)) console.log(url); return next(url, context); } });
      const { readConfig } = await import('./src/config/config.ts');
      const { startGateway } = await import('./src/gateway.ts');
      const { createLog } = await import('./src/telemetry/log.ts');
      const config = readConfig({ PORT: '0', ...JSON.parse(process.argv[1]) });
      const gateway = await startGateway(config, createLog({ level: 'silent', production: true }));
      await gateway.close();
    `;
    const loaded = async (environment: object) => {
      const parameters = ['--input-type=module', '-e', script, JSON.stringify(environment)];
      const { code, text } = await outputOf(spawn(process.execPath, parameters));
      expect(code).toBe(0);
      return text.split('\n').filter((line) => line !== '');
    };
    expect(await loaded({})).toEqual([]);
    expect(await loaded(collector.environment)).not.toEqual([]);
  });
});
