/** The events of a subscription as a response. Yoga writes server-sent events, and `multipart-events.ts` the others. */
import { pipeline } from 'node:stream/promises';
import type { ExecutionResult, GraphQLError } from 'graphql';
import { type FetchAPI, getSSEProcessor } from 'graphql-yoga';
import type { SubscriptionResults } from '../../operation/subscription-results.ts';
import { eventTypeFor } from '../accept.ts';
import { EventStream } from './event-body.ts';
import type { GraphQLHttpRequest } from './graphql-request.ts';
import { multipartEvents } from './multipart-events.ts';
import { headersOf } from './response.ts';

/** Writes a comment every 12 s, so that no proxy closes a stream without events. */
const serverSentEvents = getSSEProcessor();
/** The runtime's own classes: hosts accept no others. */
const fetchAPI = { ReadableStream: EventStream, Response, TextEncoder } as unknown as FetchAPI;

/** Most listeners of one event of such a response. */
const maxListeners = 16;

/** Yoga copies each `GraphQLError` without its locations, and writes any other object as it is. */
async function* withFormattedErrors(results: SubscriptionResults): AsyncGenerator<ExecutionResult> {
  for await (const result of results) {
    const errors = result.errors?.map((error) => error.toJSON() as GraphQLError);
    yield errors ? { ...result, errors } : result;
  }
}

/** Returns the response with the events of a subscription. */
export async function eventResponse(
  results: SubscriptionResults,
  http: GraphQLHttpRequest,
): Promise<Response> {
  // Yoga would ignore the weights of `accept`.
  const isMultipart = eventTypeFor(http.request.headers.accept) === 'multipart/mixed';
  const response = isMultipart
    ? multipartEvents(results)
    : await serverSentEvents(withFormattedErrors(results), fetchAPI, 'text/event-stream');
  for (const [name, value] of headersOf(http.headers)) response.headers.set(name, value);
  // Yoga asks to keep the connection. Whether it is kept depends on the request, and on a shutdown: Node decides.
  response.headers.delete('connection');
  // nginx and others hold the first bytes back without it.
  response.headers.set('x-accel-buffering', 'no');
  return response;
}

/** Sends the events of a subscription. Throws only for a bug. */
export async function sendEvents(results: SubscriptionResults, http: GraphQLHttpRequest): Promise<void> {
  const { response } = http;
  const { status, headers, body } = await eventResponse(results, http);
  const events = body as ReadableStream<Uint8Array>;
  if (response.destroyed) return await events.cancel();
  response.writeHead(status, [...headers].flat());
  // Node adds five for `close`, and warns of a leak from the 11th on: of each stream with unread events or invalid bytes.
  response.setMaxListeners(maxListeners);
  await pipeline(events, response).catch((error: NodeJS.ErrnoException) => {
    // The caller has disconnected, or the gateway has closed the stream.
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  });
}
