/** The weights (`q`) of the `accept` header decide the media type of a response. */
import { expect, it } from 'vitest';
import { post, startTestGateway } from '../support/gateway.ts';
import { forFile } from '../support/lifetimes.ts';

const gateway = forFile(await startTestGateway());

async function typeFor(accept: string): Promise<string> {
  const response = await post(gateway, { query: '{ __typename }' }, { accept });
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
  // A weight that is not a number from 0 to 1 is none.
  [`${graphql};q=0.9, ${json};q=7`, json],
  [`${graphql};q=0.9, ${json};q=high`, json],
  [`${json};q=0`, '406'],
  // Reading 15,000 ranges took 10 ms, several times for each request, before it waited for its turn.
  [`${json}${','.repeat(1_024 - json.length)}`, json],
  [`${json}${','.repeat(1_025 - json.length)}`, '406'],
])('accept: %s is served as %s', async (accept, type) => {
  expect(await typeFor(accept)).toBe(type);
});
