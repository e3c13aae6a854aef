import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { alice, startTestGateway, type TestGateway } from '../support/gateway.ts';
import * as does from '../support/service.ts';

let service: does.TestService;
let gateway: TestGateway;
beforeAll(async () => {
  service = await does.startService(does.json(200, { status: 'queued' }));
  gateway = await startTestGateway({ UPSTREAM_URL: service.url, CORS_ORIGINS: 'https://app.example' });
});
afterAll(async () => {
  await gateway.close();
  await service.close();
});

const post = (body: string | Uint8Array, headers: Record<string, string> = {}) =>
  fetch(gateway.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...alice, ...headers },
    body: body as BodyInit,
  });

describe('CORS', () => {
  const preflight = (origin: string) =>
    fetch(gateway.url, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'x-api-key',
      },
    });

  it('allows the configured origins, without the browser’s own credentials', async () => {
    const { headers } = await preflight('https://app.example');
    expect(headers.get('access-control-allow-origin')).toBe('https://app.example');
    expect(headers.get('access-control-allow-credentials')).not.toBe('true');
    const answer = await post('{"query":"{ __typename }"}', { origin: 'https://app.example' });
    expect(answer.headers.get('access-control-expose-headers')).toMatch(/x-request-id/i);
  });

  it('allows no other origin', async () => {
    const { headers } = await preflight('https://evil.example');
    expect(headers.get('access-control-allow-origin')).not.toBe('https://evil.example');
    expect(headers.get('access-control-allow-origin')).not.toBe('*');
  });
});
