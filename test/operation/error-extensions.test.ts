/** What an entry of `errors[]` states about a failed call, and what it does not reveal about the service. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { alice, startTestGateway, type TestGateway } from '../support/gateway.ts';
import * as does from '../support/service.ts';

let service: does.TestService;
let gateway: TestGateway;
beforeAll(async () => {
  service = await does.startService();
  gateway = await startTestGateway({ UPSTREAM_URL: service.url });
});
afterAll(async () => {
  await gateway.close();
  await service.close();
});

const createGroup = () =>
  gateway.ask(
    'mutation { createGroup(input: { name: "a" }) { ... on InvalidInput { problems { message } } } }',
  );

describe('an error of a bound', () => {
  const read = '{ malaysiaStatus(documentId: "1") { state } }';

  it('names the bound in the extensions, in the log line and in the metric', async () => {
    const wide = `{ ${Array.from({ length: 21 }, (_, at) => `a${at}: malaysiaStatus(documentId: "${at}") { state }`).join(' ')} }`;
    service.will(does.json(429, {}), does.json(413, {}));
    const errors = [
      await createGroup(),
      await createGroup(),
      await gateway.ask(wide),
      await gateway.ask(`{ a${' '.repeat(70_000)} }`),
    ].map(({ errors }) => errors?.[0]?.extensions);
    expect(errors.map((extensions) => [extensions?.['code'], extensions?.['bound']])).toEqual([
      ['RATE_LIMITED', 'service'],
      ['PAYLOAD_TOO_LARGE', 'service'],
      ['OPERATION_TOO_EXPENSIVE', 'operation'],
      ['OPERATION_TOO_EXPENSIVE', 'operation'],
    ]);
    const lines = gateway.log().map((line) => JSON.parse(line));
    expect(lines.filter(({ bound }) => bound).map(({ bound }) => bound)).toEqual([
      'service',
      'service',
      'operation',
      'operation',
    ]);
    const metrics = await (await fetch(`${gateway.origin}/metrics`)).text();
    expect(metrics).toContain('folio_refusals_total{bound="service"} 2');
    expect(metrics).toContain('folio_refusals_total{bound="operation"} 2');
  });

  it('whose request is refused before its operation is read names the bound as well', async () => {
    const response = await fetch(gateway.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: read, variables: { text: 'x'.repeat(5_000_000) } }),
    });
    const { errors } = (await response.json()) as any;
    expect([response.status, errors[0].extensions.bound]).toEqual([413, 'request']);
    const metrics = await (await fetch(`${gateway.origin}/metrics`)).text();
    expect(metrics).toContain('folio_refusals_total{bound="request"} 1');
  });
});

describe('an entry of errors[]', () => {
  it('has exactly the documented extensions', async () => {
    service.will(does.json(503, { secret: 'internal' }, { 'retry-after': '9' }));
    const { errors, headers } = await createGroup();
    expect(errors).toHaveLength(1);
    const requestId = headers.get('x-request-id');
    expect(errors?.[0]?.extensions).toEqual({
      code: 'UPSTREAM_UNAVAILABLE',
      retryable: true,
      retryAfterMs: 9_000,
      sideEffect: 'NONE',
      requestId,
      upstream: { operation: 'createGroup', status: 503, requestId },
    });
  });

  it.each([
    'see http://10.0.0.7:8080/internal',
    'failed at /srv/app/index.js',
    'host db-1:5432 refused',
    'holder 900101145555 is unknown',
    '<b>no</b>',
    'two\nlines',
    `key ${alice['x-api-key']} is bad`,
    'x'.repeat(201),
  ])('does not pass on a message of the service that could reveal something: %s', async (message) => {
    service.will(does.json(400, { message }));
    const { data } = await createGroup();
    expect(data.createGroup.problems[0].message).toBe('The service refused the input.');
  });

  it.each([
    ['', undefined],
    ['1', 1_000],
    ['soon', undefined],
    ['999999999', 86_400_000],
    ['Mon, 01 Jan 2001 00:00:00 GMT', undefined],
  ])('reads Retry-After %j as retryAfterMs %j', async (header, retryAfterMs) => {
    service.will(does.json(429, {}, { 'retry-after': header }));
    const { errors } = await createGroup();
    expect(errors?.[0]?.extensions.retryAfterMs).toBe(retryAfterMs);
  });
});
