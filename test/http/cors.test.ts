import { describe, expect, it } from 'vitest';
import { credentialHeaders } from '../../src/caller.ts';
import { alice, post, startTestGateway } from '../support/gateway.ts';
import { forFile } from '../support/lifetimes.ts';

const gateway = forFile(await startTestGateway({ CORS_ORIGINS: 'https://app.example' }));

async function allowed(origin: string): Promise<Headers> {
  const request = {
    'access-control-request-method': 'POST',
    'access-control-request-headers': credentialHeaders.apiKey,
  };
  return (await fetch(gateway.url, { method: 'OPTIONS', headers: { origin, ...request } })).headers;
}

describe('CORS', () => {
  it('allows the configured origins, without the browser’s own credentials', async () => {
    const headers = await allowed('https://app.example');
    expect(headers.get('access-control-allow-origin')).toBe('https://app.example');
    expect(headers.get('access-control-allow-credentials')).not.toBe('true');
    const answer = await post(
      gateway,
      { query: '{ __typename }' },
      { ...alice, origin: 'https://app.example' },
    );
    expect(answer.headers.get('access-control-expose-headers')).toMatch(/x-request-id/i);
  });

  it('responds to a preflight request without a length, as a 204 must (RFC 9110, section 8.6)', async () => {
    expect((await allowed('https://app.example')).has('content-length')).toBe(false);
  });

  it('allows no other origin', async () => {
    const headers = await allowed('https://evil.example');
    expect(['https://evil.example', '*']).not.toContain(headers.get('access-control-allow-origin'));
  });
});
