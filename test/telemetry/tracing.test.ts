import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startCollector } from '../support/collector.ts';
import { alice, scanCard, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { forTest, serviceForFile } from '../support/lifetimes.ts';
import { openConnection, postOf } from '../support/raw-http.ts';
import * as does from '../support/service.ts';

const validation = { documentId: '1', validation_result: 'VALID', steps: {} };
const query = 'query Latest { mexicoValidation(by: { documentId: "4711" }) { result } }';
const service = await serviceForFile(does.json(200, validation));

/** Runs `act` on a gateway and returns what it sent to its collector. Stopping the gateway sends the last spans. */
async function traced(
  act: (gateway: TestGateway) => Promise<unknown>,
  environment: Record<string, string> = {},
) {
  const collector = forTest(await startCollector());
  const gateway = await startTestGateway({
    UPSTREAM_URL: `${service.url}/base`,
    ...collector.environment,
    ...environment,
  });
  await act(gateway);
  await gateway.close();
  const named = (name: string) => collector.spans.filter((span) => span.name === name);
  return { gateway, collector, named, only: (name: string) => named(name)[0] };
}

const asking =
  (headers: Record<string, string> = {}, text = query) =>
  (gateway: TestGateway) =>
    gateway.ask(text, {}, { ...alice, ...headers });
const traceId = '0af7651916cd43dd8448eb211c80319c';
const parentOf = (flag: string, id = traceId) => ({ traceparent: `00-${id}-b7ad6b7169203331-${flag}` });
const call = 'GET /base/v2/einvoice/mexico/status/{idOrUuid}';

describe('a traced operation', () => {
  it('is a server span with its type, name, status and path, and without its text', async () => {
    const { gateway, collector, only, named } = await traced(asking());
    const attributes = {
      ...{ 'graphql.operation.type': 'query', 'graphql.operation.name': 'Latest' },
      ...{ 'http.response.status_code': 200, 'url.path': '/graphql' },
    };
    expect(named('query')).toMatchObject([{ kind: 2, attributes, status: 0 }]);
    expect(only('query')?.attributes).not.toHaveProperty('graphql.document');
    const resource = { 'service.name': 'folio', 'service.version': expect.any(String) };
    expect(collector.resource).toMatchObject(resource);
    // Its trace id is in its log line.
    expect(gateway.logged('operation')).toMatchObject([{ traceId: only('query')?.traceId }]);
  });

  it('has the service name of OTEL_SERVICE_NAME, and the application of its caller', async () => {
    vi.stubEnv('OTEL_SERVICE_NAME', 'folio-test');
    onTestFinished(() => void vi.unstubAllEnvs());
    const ios = { 'apollographql-client-name': 'ios', 'apollographql-client-version': '2' };
    const { collector, only } = await traced(asking(ios));
    expect(collector.resource).toMatchObject({ 'service.name': 'folio-test' });
    const named = { 'graphql.client.name': 'ios', 'graphql.client.version': '2' };
    expect(only('query')?.attributes).toMatchObject(named);
  });

  it('continues the trace of its caller, which goes on to the service with its tracestate', async () => {
    const tracestate = 'vendor=opaque,other=1';
    const { only } = await traced(asking({ ...parentOf('01'), tracestate }));
    expect(only('query')).toMatchObject({ traceId, parentSpanId: 'b7ad6b7169203331' });
    expect(only(call)).toMatchObject({ traceId });
    const traceparent = expect.stringContaining(traceId);
    expect(service.received[0]?.headers).toMatchObject({ traceparent, tracestate });
  });

  it('starts a new trace when the caller sends an invalid traceparent', async () => {
    const invalid = [
      'junk',
      '00-00000000000000000000000000000000-b7ad6b7169203331-01',
      'ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more',
    ];
    const { named } = await traced(async (gateway) => {
      for (const traceparent of invalid) await asking({ traceparent })(gateway);
    });
    expect(named('query').map(({ parentSpanId }) => parentSpanId)).toEqual(invalid.map(() => undefined));
  });

  it('that fails has its error code', async () => {
    service.will(does.json(403, {}));
    const { only } = await traced(asking());
    expect(only('query')).toMatchObject({ status: 2, attributes: { 'error.type': 'FORBIDDEN' } });
    const attributes = { 'error.type': '403', 'http.response.status_code': 403 };
    expect(only(call)).toMatchObject({ status: 2, attributes });
  });

  it('ends although its caller disconnects before', async () => {
    service.will(does.hang);
    const { named } = await traced(async (gateway) => {
      const request = postOf(JSON.stringify({ query }), alice);
      const { close } = await openConnection(gateway.url, request);
      await expect.poll(() => service.received).toHaveLength(1);
      close();
      await expect.poll(() => gateway.logged('operation')).toHaveLength(1);
    });
    expect(named('query')).toHaveLength(1);
  });

  const [low, high] = ['00000000000000010000000000000001', 'f'.repeat(32)];
  it.each([
    ['the gateway’s', '00', traceId, 'parentbased_always_on', '1', 'false', '01'],
    ['the gateway’s', '01', traceId, 'parentbased_always_off', '1', 'false', '00'],
    ['the gateway’s', '01', low, 'traceidratio', '0.000001', 'false', '00'],
    ['the gateway’s', '00', high, 'traceidratio', '0.999999', 'false', '01'],
    ['a trusted caller’s', '01', traceId, 'parentbased_traceidratio', '0', 'true', '01'],
    ['a trusted caller’s', '00', traceId, 'parentbased_traceidratio', '1', 'true', '00'],
  ])('continues a trace but is sampled by %s decision: -%s of %s, %s %s', async (...sampled) => {
    const [, given, id, sampler, ratio, trusted, flag] = sampled;
    const { named } = await traced(asking(parentOf(given, id)), {
      OTEL_TRACES_SAMPLER: sampler,
      OTEL_TRACES_SAMPLER_ARG: ratio,
      TRACE_PARENT_TRUSTED: trusted,
    });
    expect(named('query').map((span) => span.traceId)).toEqual(flag === '01' ? [id] : []);
    expect(service.received[0]?.headers['traceparent']).toMatch(new RegExp(`^00-${id}-.*-${flag}$`));
  });

  it('has a span for the time in which a call waits for a slot', async () => {
    const two =
      'query Latest { a: mexicoValidation(by: { documentId: "1" }) { result } b: mexicoValidation(by: { documentId: "2" }) { result } }';
    const { only } = await traced(asking({}, two), { UPSTREAM_CONCURRENCY_PER_CALLER: '1' });
    expect(only('wait for a slot')).toMatchObject({ parentSpanId: only('query')?.spanId });
  });
});

describe('a traced call to the service', () => {
  it('is a client span below its operation and sends its traceparent to the service', async () => {
    const { only } = await traced(asking());
    const span = only(call);
    const attributes = {
      ...{ 'http.request.method': 'GET', 'http.response.status_code': 200, 'server.address': '127.0.0.1' },
      ...{ 'server.port': Number(new URL(service.url).port), 'url.template': call.slice('GET '.length) },
    };
    expect(span).toMatchObject({ kind: 3, parentSpanId: only('query')?.spanId, attributes });
    expect(service.received[0]?.headers['traceparent']).toBe(`00-${span?.traceId}-${span?.spanId}-01`);
    expect(service.received[0]?.headers).not.toHaveProperty('tracestate');
  });

  it('has one span per attempt', async () => {
    service.will(does.reset, does.json(200, validation));
    const { named } = await traced(asking());
    const attempts = named(call).map(({ attributes, status }) => ({ ...attributes, status }));
    expect(attempts).toMatchObject([{ status: 2 }, { status: 0, 'http.request.resend_count': 1 }]);
    expect(attempts[0]).not.toHaveProperty(['http.request.resend_count']);
  });
});

it('an upload has a span with its number of bytes', async () => {
  service.will(does.json(200, { scanDocuments: { docId: 1, status: 'COMPLETED', data: {} } }));
  const { only } = await traced((gateway) => scanCard(gateway, 'x'.repeat(70_000)));
  const { spanId: parentSpanId } = only('POST /base/v1/documents/scan/nric') ?? {};
  expect(only('upload')).toMatchObject({ parentSpanId, attributes: { 'folio.upload.bytes': 70_000 } });
});

it('a poll is a separate trace, linked to all subscriptions that it serves', async () => {
  let [areBoth, pollsOfBoth] = [false, 0];
  service.will((request, response) => {
    // The first poll after both were subscribed may have begun before.
    const status = pollsOfBoth > 1 ? 'validated' : 'queued';
    if (areBoth) pollsOfBoth += 1;
    does.json(200, { status })(request, response);
  });
  const watch = { query: 'subscription { malaysiaStatusChanged(documentId: "1") { state } }' };
  const { named } = await traced(
    async (gateway) => {
      const first = gateway.webSocketClient().iterate(watch);
      await first.next();
      const second = gateway.webSocketClient().iterate(watch);
      await second.next();
      areBoth = true;
      for await (const _event of second);
      for await (const _event of first);
    },
    { MALAYSIA_POLL_MIN_MS: '50', MALAYSIA_POLL_MAX_MS: '50' },
  );
  const idsOf = (spans: readonly { readonly spanId: string }[] = []) =>
    spans.map(({ spanId }) => spanId).sort();
  const subscriptions = idsOf(named('subscription'));
  const polls = named('poll');
  const [before, after] = [polls[0], polls.at(-1)];
  expect(subscriptions).toHaveLength(2);
  expect(before?.parentSpanId).toBeUndefined();
  expect(before?.links).toHaveLength(1);
  expect(idsOf(after?.links)).toEqual(subscriptions);
  const calls = named('GET /base/v2/einvoice/malaysia/status/{documentId}');
  expect(calls.map(({ parentSpanId }) => parentSpanId)).toEqual(polls.map(({ spanId }) => spanId));
});

describe('the collector', () => {
  it('may be down: operations succeed, and the gateway stops in time', async () => {
    const collector = await startCollector();
    await collector.close();
    await traced(async (gateway) => {
      const { data } = await gateway.ask(query);
      expect(data).toEqual({ mexicoValidation: { result: 'VALID' } });
    }, collector.environment);
  });
});
