/** Yoga over the gateway's pipeline: runs the operation of a request, and writes the events of a subscription. */
import { createYoga, type FetchAPI, getSSEProcessor, type Plugin } from 'graphql-yoga';
import { SubscriptionResults } from '../../operation/subscription-results.ts';
import type { Log } from '../../telemetry/log.ts';
import { eventTypeFor } from '../accept.ts';
import type { GraphQLHttpRequest } from './graphql-request.ts';
import { multipartEvents } from './multipart-events.ts';
import { responseOf, type SingleResult } from './response.ts';
import { restDropped } from './rest-of-body.ts';

interface YogaContext {
  readonly http: GraphQLHttpRequest;
  /** The result of the request, or the results of its subscription. */
  readonly run: () => Result | Promise<Result>;
}

type Result = SingleResult | SubscriptionResults;

export type YogaHandler = ReturnType<typeof createYogaHandler>;

/** `fetchAPI`: the classes of requests and responses. Default: Yoga's, which are the fastest on Node's server. */
export function createYogaHandler(log: Log, fetchAPI?: Partial<FetchAPI>) {
  return createYoga<YogaContext>({
    ...(fetchAPI && { fetchAPI }),
    // The host routes requests.
    graphqlEndpoint: '*',
    landingPage: false,
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
      // What it reports may quote any data.
      warn: (err) => log.warn({ err }, 'graphql-yoga'),
      error: (err) => log.error({ err }, 'graphql-yoga'),
    },
    plugins: [overPipeline],
  });
}

/** Writes a comment every 12 s, so that no proxy closes a stream without events. */
const serverSentEvents = getSSEProcessor();

const overPipeline: Plugin<object, YogaContext> = {
  // The endpoint reads the request, within its bounds.
  async onRequestParse({ request, serverContext, setRequestParser, endResponse }) {
    setRequestParser(() => ({ query: '' }));
    // Yoga would refuse other methods with an error of its own.
    if (request.method === 'GET' || request.method === 'POST') return;
    endResponse(await singleResponse((await serverContext.run()) as SingleResult, serverContext.http));
  },
  async onParams({ context, setResult }) {
    setResult((await (context as unknown as YogaContext).run()) as object);
  },
  // Yoga would ignore the weights of `accept`.
  onResultProcess({ result, serverContext: { http }, setResultProcessor }) {
    if (!(result instanceof SubscriptionResults)) {
      setResultProcessor((single) => singleResponse(single as never, http), '*/*');
      return;
    }
    const isMultipart = eventTypeFor(http.request.headers.accept) === 'multipart/mixed';
    setResultProcessor(async (events, fetchAPI, type) => {
      const response = isMultipart
        ? multipartEvents(events as never, fetchAPI)
        : await serverSentEvents(events, fetchAPI, type);
      // Before the others are set: Yoga's `Headers` would keep both spellings of the name.
      response.headers.delete('cache-control');
      for (const [name, value] of headersOf(http.headers)) response.headers.set(name, value);
      // nginx and others hold the first bytes back without it.
      response.headers.set('x-accel-buffering', 'no');
      return response;
    }, 'text/event-stream');
  },
};

/** Returns the response. A small one waits while the rest of its request is still arriving and is dropped. */
export async function singleResponse(result: SingleResult, http: GraphQLHttpRequest): Promise<Response> {
  await restDropped(http, result.json.length);
  return responseWith(result, http);
}

export function responseWith(result: SingleResult, http: GraphQLHttpRequest): Response {
  const { status, headers, body } = responseOf(result, http);
  return new Response(body, { status, headers: headersOf(headers) });
}

/** `headers`: names and values alternately. */
export function headersOf(headers: readonly string[]): [name: string, value: string][] {
  return headers.flatMap((name, at) => (at % 2 === 0 ? [[name, headers[at + 1] as string]] : []));
}
