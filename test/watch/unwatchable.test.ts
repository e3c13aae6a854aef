/** The `problem` of a document that cannot be watched states the reason, and whether to subscribe again. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startTestGateway } from '../support/gateway.ts';
import { forFile, serviceForFile } from '../support/lifetimes.ts';
import { metricOf } from '../support/metric.ts';
import * as does from '../support/service.ts';

const query = `subscription ($documentIds: [ID!]!) {
  malaysiaStatusesChanged(documentIds: $documentIds) {
    documentId state isFinal problem { code message retryable bound }
  }
}`;

const service = await serviceForFile((request, response) => {
  const [, id] = /status\/(.+)$/.exec(request.url ?? '') ?? [];
  if (id === 'secret') return does.json(401, {})(request, response);
  if (id === 'missing') return does.json(404, {})(request, response);
  does.json(200, { status: id === 'done' ? 'validated' : 'queued' })(request, response);
});
const gateway = forFile(
  await startTestGateway(
    { UPSTREAM_URL: service.url, MALAYSIA_POLL_MIN_MS: '100' },
    { limits: { maxWatchesPerCaller: 2 } },
  ),
);

describe('a document that cannot be watched', () => {
  afterEach(() => void vi.restoreAllMocks());

  /** The last event of each document of a subscription that completes. */
  async function lastOf(documentIds: string[]): Promise<Record<string, any>> {
    const last: Record<string, any> = {};
    for await (const { data } of gateway.webSocketClient().iterate({ query, variables: { documentIds } })) {
      const status = (data as any).malaysiaStatusesChanged;
      last[status.documentId] = status;
    }
    return last;
  }

  it('has the code UNAUTHENTICATED for refused credentials, and other documents have no problem', async () => {
    const { secret, done } = await lastOf(['secret', 'done']);
    expect(secret).toMatchObject({
      state: 'UNKNOWN',
      isFinal: false,
      problem: { code: 'UNAUTHENTICATED', retryable: false, bound: null },
    });
    expect(secret.problem.message).toBeTruthy();
    expect(done).toMatchObject({ state: 'VALIDATED', problem: null });
  });

  it('is retryable and names the bound that its caller has used up, which is counted and logged once for each subscription', async () => {
    const refusals = () => metricOf(gateway, 'folio_refusals_total{bound="watches-owner"}');
    const [before, lines] = [await refusals(), gateway.log().length];
    const { third, fourth } = await lastOf(['done', 'secret', 'third', 'fourth']);
    const refusal = { code: 'RATE_LIMITED', retryable: true, bound: 'watches-owner' };
    expect([third.problem, fourth.problem]).toMatchObject([refusal, refusal]);
    expect(await refusals()).toBe(before + 1);
    const later = gateway.log().slice(lines);
    const dropped = later.filter((line) => line.includes('"msg":"dropped"'));
    expect(dropped).toEqual([expect.stringContaining('"bound":"watches-owner"')]);
  });

  it('is not retryable when the service does not know it, and the subscription completes', async () => {
    // A document that was imported a moment ago may be unknown for 15 s.
    const now = performance.now.bind(performance);
    let passedMs = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now() + passedMs);
    const last = lastOf(['missing', 'done']);
    const polls = () => service.received.filter(({ path }) => path.endsWith('missing'));
    // The time counts from the response to the first one.
    await expect.poll(() => polls().length).toBeGreaterThanOrEqual(2);
    passedMs = 20_000;
    const { missing, done } = await last;
    expect(missing).toMatchObject({ state: 'UNKNOWN', problem: { code: 'NOT_FOUND', retryable: false } });
    expect(done.problem).toBeNull();
  });
});
