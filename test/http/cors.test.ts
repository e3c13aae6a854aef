import { describe, expect, it } from 'vitest';
import { credentialHeaders } from '../../src/caller.ts';
import { alice, post, startTestGateway } from '../support/gateway.ts';
import { forFile } from '../support/lifetimes.ts';

const gateway = forFile(await startTestGateway({ CORS_ORIGINS: 'https://app.example' }));

async function preflight(origin: string): Promise<Headers> {
  const request = {
    'access-control-request-method': 'POST',
    'access-control-request-headers': credentialHeaders.apiKey,
  };
  return (await fetch(gateway.url, { method: 'OPTIONS', headers: { origin, ...request } })).headers;
}

describe('CORS', () => {
  it('allows the configured origins, without the browser’s own credentials', async () => {
    const origin = 'https://app.example';
    const headers = await preflight(origin);
    expect(headers.get('access-control-allow-origin')).toBe(origin);
    expect(headers.get('access-control-allow-methods')).toMatch(/\bPOST\b/);
    expect(headers.get('access-control-allow-headers')).toBe(credentialHeaders.apiKey);
    expect(headers.get('access-control-allow-credentials')).not.toBe('true');
    // Of a 204 (RFC 9110, section 8.6).
    expect(headers.has('content-length')).toBe(false);
    const response = await post(gateway, { query: '{ __typename }' }, { ...alice, origin });
    expect(response.headers.get('access-control-expose-headers')).toMatch(/x-request-id/i);
  });

  it('allows no other origin', async () => {
    const headers = await preflight('https://evil.example');
    expect(['https://evil.example', '*']).not.toContain(headers.get('access-control-allow-origin'));
  });
});
