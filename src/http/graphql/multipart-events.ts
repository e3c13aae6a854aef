/** Responses with the events of a subscription by Apollo's "Multipart HTTP protocol for GraphQL Subscriptions". */
import type { SubscriptionResults } from '../../operation/subscription-results.ts';
import { EventStream } from './event-body.ts';

/** The boundary that the protocol's clients expect. */
const boundary = 'graphql';
const headers = { 'content-type': `multipart/mixed;boundary="${boundary}";subscriptionSpec=1.0` };

const partHeaders = 'content-type: application/json; charset=utf-8';

/** Proxies close connections without a byte (ms). As often as Yoga writes a comment into an event stream. */
const heartbeatMs = 12_000;

/** The first part, an empty one, is sent immediately: proxies and clients see that the subscription has started. */
export function multipartEvents(results: SubscriptionResults): Response {
  const encoder = new TextEncoder();
  /** Ends with the next boundary: clients deliver a part when they have read that. */
  const part = (value: object) =>
    encoder.encode(`\r\n${partHeaders}\r\n\r\n${JSON.stringify(value)}\r\n--${boundary}`);
  let heartbeat: NodeJS.Timeout | undefined;
  let isCancelled = false;
  const stream = new EventStream({
    start(controller) {
      controller.enqueue(encoder.encode(`\r\n--${boundary}`));
      controller.enqueue(part({}));
      heartbeat = setInterval(() => {
        if ((controller.desiredSize ?? 0) > 0) controller.enqueue(part({}));
      }, heartbeatMs);
    },
    async pull(controller) {
      try {
        const { done, value } = await results.next();
        if (isCancelled) return;
        if (!done) return controller.enqueue(part({ payload: value }));
      } catch (error) {
        stop();
        throw error;
      }
      clearInterval(heartbeat);
      controller.enqueue(encoder.encode('--\r\n'));
      controller.close();
    },
    cancel() {
      isCancelled = true;
      stop();
    },
  });
  function stop(): void {
    clearInterval(heartbeat);
    results.stop();
  }
  return new Response(stream, { headers });
}
