/** The weights (`q`) of the `accept` header decide the media type of a response. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

async function typeFor(accept: string): Promise<string> {
  const headers = { 'content-type': 'application/json', accept };
  const response = await fetch(gateway.url, { method: 'POST', headers, body: '{"query":"{ __typename }"}' });
  await response.text();
  return response.status === 406 ? '406' : String(response.headers.get('content-type')).split(';', 1).join();
}

const [json, graphql] = ['application/json', 'application/graphql-response+json'];

it.each([
  [`${json};q=0.1, ${graphql};q=0.9`, graphql],
  [`${graphql};q=0.1, ${json};q=0.9`, json],
  [`${json};q=0.5, ${graphql}`, graphql],
  [`${json};q=0, ${graphql};q=0.1`, graphql],
  [`${json};q=0, */*`, graphql],
  [`*/*;q=0.1, ${graphql};q=0.2`, graphql],
  [`${graphql}, ${json};q=0.9`, graphql],
  [`${json}, ${graphql}`, json],
  [`${json};q=0`, '406'],
])('accept: %s is served as %s', async (accept, type) => {
  expect(await typeFor(accept)).toBe(type);
});
