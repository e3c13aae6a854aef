/** Live subscriptions while the service misbehaves. */
import { beforeEach, describe, expect, it } from 'vitest';
import { follow, quickPolls, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { forTest, serviceForFile } from '../support/lifetimes.ts';
import * as does from '../support/service.ts';

const status = (word: string) => does.json(200, { status: word });

const service = await serviceForFile(status('queued'));
let gateway: TestGateway;
beforeEach(async () => {
  const environment = { UPSTREAM_URL: service.url, UPSTREAM_READ_DEADLINE_MS: '20000', ...quickPolls };
  gateway = forTest(await startTestGateway(environment));
});

describe('a live subscription', () => {
  it('survives a restart of the service and reports the next change', async () => {
    const next = follow(gateway.webSocketClient(), '1');
    expect(await next()).toBe('QUEUED');
    service.will(does.reset);
    service.cut();
    expect(await next()).toBe('QUEUED delayed');
    service.will(status('submitted'));
    expect(await next()).toBe('SUBMITTED');
    service.will(status('validated'));
    expect([await next(), await next()]).toEqual(['VALIDATED', 'done']);
  });

  it.each<[string, does.Behaviour]>([
    ['responds with 404', does.json(404, {})],
    ['describes the call', does.json(200, { status: 'error', message: 'Token expired' })],
  ])('is UPSTREAM_BAD_RESPONSE while the service %s, then continues', async (_what, behaviour) => {
    const next = follow(gateway.webSocketClient(), '1');
    expect(await next()).toBe('QUEUED');
    service.will(behaviour);
    expect(await next()).toBe('QUEUED UPSTREAM_BAD_RESPONSE');
    service.will(status('rejected'));
    expect([await next(), await next()]).toEqual(['REJECTED', 'done']);
  });
});
