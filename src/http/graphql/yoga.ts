/** Responses with the events of a subscription, as server-sent events: Yoga writes them. */
import { createYoga, type Plugin } from 'graphql-yoga';
import type { SubscriptionResults } from '../../operation/subscription.ts';
import type { Log } from '../../telemetry/log.ts';

interface EventStream {
  readonly results: SubscriptionResults;
}

export type YogaHandler = ReturnType<typeof createYogaHandler>;

export function createYogaHandler(log: Log) {
  return createYoga<EventStream>({
    // The gateway has its own: bounds of a body in bytes and time, masks, CORS headers and GraphiQL.
    maxRequestBodySize: false,
    maskedErrors: false,
    cors: false,
    graphiql: false,
    // Yoga's health check responds to every URL that ends so, a query string included. No URL contains a blank.
    healthCheckEndpoint: ' ',
    logging: {
      debug() {},
      info() {},
      warn: (...args) => log.warn(args),
      error: (...args) => log.error(args),
    },
    plugins: [sendResults],
  });
}

/** Sends the results of a subscription that the gateway has read and started. */
const sendResults: Plugin<object, EventStream> = {
  onRequestParse({ setRequestParser }) {
    setRequestParser(() => ({ query: '' }));
  },
  onParams({ context, setResult }) {
    setResult((context as unknown as EventStream).results);
  },
  // Results contain personal data: no cache may store them. Yoga would send `no-cache`.
  onResponse({ response }) {
    response.headers.set('cache-control', 'no-store');
    // nginx and others hold the first bytes back without it.
    response.headers.set('x-accel-buffering', 'no');
  },
};
