/** The beginning of an event stream: no proxy may hold it back until the first event. */
import { expect, it } from 'vitest';
import { alice, post, startTestGateway } from '../support/gateway.ts';
import { forTest } from '../support/lifetimes.ts';
import { hang, startService } from '../support/service.ts';

it('an event stream starts with a comment before its first event, and forbids proxies to buffer it', async () => {
  const service = forTest(await startService(hang));
  const gateway = forTest(await startTestGateway({ UPSTREAM_URL: service.url }));
  const query = 'subscription { malaysiaStatusChanged(documentId: "1") { state } }';
  const response = await post(gateway, { query }, { ...alice, accept: 'text/event-stream' });
  expect([response.status, response.headers.get('x-accel-buffering')]).toEqual([200, 'no']);
  const reader = response.body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  expect(new TextDecoder().decode(value)).toMatch(/^:/);
  await reader?.cancel();
});
