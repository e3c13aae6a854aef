/** Yoga writes the events of a subscription. The gateway has read the request, and runs its operation. */
import { createYoga, type FetchAPI, getSSEProcessor, type Plugin } from 'graphql-yoga';
import type { SubscriptionResults } from '../../operation/subscription-results.ts';
import { eventTypeFor } from '../accept.ts';
import type { GraphQLHttpRequest } from './graphql-request.ts';
import { multipartEvents } from './multipart-events.ts';
import { headersOf } from './response.ts';

interface YogaContext {
  readonly http: GraphQLHttpRequest;
  readonly results: SubscriptionResults;
}

export type YogaHandler = ReturnType<typeof createYogaHandler>;

/** `fetchAPI`: the classes of requests and responses. Default: Yoga's, which are the fastest on Node's server. */
export function createYogaHandler(fetchAPI?: Partial<FetchAPI>) {
  return createYoga<YogaContext>({
    ...(fetchAPI && { fetchAPI }),
    // The gateway has its own.
    cors: false,
    graphiql: false,
    // Yoga's health check responds to every URL that ends so, a query string included. No URL contains a blank.
    healthCheckEndpoint: ' ',
    logging: false,
    plugins: [subscriptionEvents],
  });
}

/** Writes a comment every 12 s, so that no proxy closes a stream without events. */
const serverSentEvents = getSSEProcessor();

const subscriptionEvents: Plugin<object, YogaContext> = {
  // Yoga would read the request next.
  async onRequest({ serverContext: { http, results }, fetchAPI, endResponse }) {
    // Yoga would ignore the weights of `accept`.
    const isMultipart = eventTypeFor(http.request.headers.accept) === 'multipart/mixed';
    const response = isMultipart
      ? multipartEvents(results, fetchAPI)
      : await serverSentEvents(results, fetchAPI, 'text/event-stream');
    // Before the others are set: Yoga's `Headers` would keep both spellings of the name.
    response.headers.delete('cache-control');
    for (const [name, value] of headersOf(http.headers)) response.headers.set(name, value);
    // nginx and others hold the first bytes back without it.
    response.headers.set('x-accel-buffering', 'no');
    endResponse(response);
  },
};
