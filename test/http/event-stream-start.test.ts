/** The beginning of an event stream: no proxy may hold it back until the first event. */
import { expect, it } from 'vitest';
import { alice, startTestGateway } from '../support/gateway.ts';
import * as does from '../support/service.ts';

it('an event stream starts with a comment before its first event, and forbids proxies to buffer it', async () => {
  const service = await does.startService(does.hang);
  const gateway = await startTestGateway({ UPSTREAM_URL: service.url });
  const query = 'subscription { malaysiaStatusChanged(documentId: "1") { state } }';
  const response = await fetch(gateway.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...alice },
    body: JSON.stringify({ query }),
  });
  expect([response.status, response.headers.get('x-accel-buffering')]).toEqual([200, 'no']);
  const reader = response.body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  expect(new TextDecoder().decode(value)).toMatch(/^:/);
  await reader?.cancel();
  await gateway.close();
  await service.close();
});
