/** Hosts that keep nothing of a request but its signal's controller: the `Request` itself may be collected. */
import { expect, it } from 'vitest';
import { alice, quickPolls, startTestHandler } from '../../support/gateway.ts';
import { heapBytes as collectGarbage } from '../../support/heap.ts';
import { forFile, serviceForFile } from '../../support/lifetimes.ts';
import * as does from '../../support/service.ts';

const service = await serviceForFile(does.json(200, { status: 'queued' }));
const handler = forFile(await startTestHandler({ UPSTREAM_URL: service.url, ...quickPolls }));

function subscribe({ signal }: AbortController) {
  const query = 'subscription { malaysiaStatusChanged(documentId: "1") { state } }';
  return handler.fetch('/api/graphql', {
    method: 'POST',
    headers: { ...alice, 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ query }),
    signal,
  });
}

it('a subscription ends when its caller disconnects after a garbage collection', async () => {
  const controller = new AbortController();
  const { body } = await subscribe(controller);
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  await reader.read();
  await collectGarbage();
  controller.abort();
  await expect.poll(() => handler.logged('operation')).toMatchObject([{ outcome: 'caller_left' }]);
});
