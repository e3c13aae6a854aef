/** Yoga writes the events of a subscription. The gateway has read the request, and runs its operation. */
import type { ServerResponse } from 'node:http';
import { createYoga, type FetchAPI, getSSEProcessor, type Plugin } from 'graphql-yoga';
import type { SubscriptionResults } from '../../operation/subscription-results.ts';
import { eventTypeFor } from '../accept.ts';
import type { GraphQLHttpRequest } from './graphql-request.ts';
import { multipartEvents } from './multipart-events.ts';
import { headersOf } from './response.ts';

interface YogaContext {
  readonly events: Response;
}

export type EventSender = ReturnType<typeof createEventSender>;

/** Returns a function that sends the events of a subscription as Node's own response. It throws before a byte is sent, or not at all. */
export function createEventSender() {
  const yoga = createYoga<YogaContext>({
    // The gateway has its own.
    cors: false,
    graphiql: false,
    // Yoga's health check responds to every URL that ends so, a query string included. No URL contains a blank.
    healthCheckEndpoint: ' ',
    logging: false,
    plugins: [ownResponse],
  });
  return async (results: SubscriptionResults, http: GraphQLHttpRequest, response: ServerResponse) => {
    // Not in a hook: Yoga would send an error with its stack.
    const events = await eventResponse(results, http, yoga.fetchAPI);
    await yoga(response.req, response, { events });
  };
}

const ownResponse: Plugin<object, YogaContext> = {
  // Yoga would read the request next.
  onRequest: ({ serverContext, endResponse }) => endResponse(serverContext.events),
};

/** Writes a comment every 12 s, so that no proxy closes a stream without events. */
const serverSentEvents = getSSEProcessor();

/** The response with the events of a subscription. `fetchAPI`: the classes that it is made of. */
export async function eventResponse(
  results: SubscriptionResults,
  http: GraphQLHttpRequest,
  fetchAPI: FetchAPI,
): Promise<Response> {
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
  return response;
}
