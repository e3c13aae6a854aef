/** An operation over each transport. */
import { alice, type GraphQLResponseError, type TestGateway } from './gateway.ts';
import { form } from './raw-http.ts';
import { connectedSocket } from './websocket.ts';

/** Without a text: a persisted operation. */
export interface Asked {
  readonly query?: string;
  readonly variables?: object;
  readonly operationName?: string;
  readonly extensions?: object;
}

export interface Result {
  readonly data?: any;
  readonly errors?: readonly GraphQLResponseError[] | undefined;
  readonly extensions?: any;
}

/** `send`: by default the global `fetch`; that of a handler of `Request` objects otherwise. */
export type Ask = (
  gateway: Pick<TestGateway, 'url'>,
  asked: Asked,
  headers?: Readonly<Record<string, string>>,
  send?: (address: string, init: RequestInit) => Promise<Response>,
) => Promise<Result>;

/** The first result in a response of any media type; it is one line, which may have U+2028. */
async function resultOf(response: Response): Promise<Result> {
  return JSON.parse(/\{[^\n]*\}/.exec(await response.text())?.[0] as string);
}

const postAccepting =
  (accept: string): Ask =>
  async ({ url }, asked, headers = alice, send = fetch) => {
    const all = { 'content-type': 'application/json', accept, ...headers };
    return await resultOf(await send(url, { method: 'POST', headers: all, body: JSON.stringify(asked) }));
  };

const get: Ask = async ({ url }, asked, headers = alice, send = fetch) => {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(asked))
    search.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  return await resultOf(
    await send(`${url}?${search}`, { headers: { 'x-graphql-yoga-csrf': '1', ...headers } }),
  );
};

/** Without a file. */
export const multipart: Ask = async ({ url }, asked, headers = alice, send = fetch) => {
  const body = form.part('operations', JSON.stringify(asked)) + form.part('map', '{}') + form.end;
  return await resultOf(await send(url, { method: 'POST', headers: { ...form.headers, ...headers }, body }));
};

const overWebSocket: Ask = async (gateway, payload, headers = alice) => {
  const socket = await connectedSocket(gateway, headers);
  // The protocol requires a query.
  socket.send({ type: 'subscribe', id: '1', payload: { query: '', ...payload } });
  const message = await socket.messageOf('1');
  socket.close();
  return message.type === 'error' ? { errors: message.payload } : message.payload;
};

/** Those that a handler of `Request` objects has as well. */
export const httpTransports: Readonly<Record<string, Ask>> = {
  POST: postAccepting('*/*'),
  GET: get,
  'server-sent events': postAccepting('text/event-stream'),
  'a multipart response': postAccepting('multipart/mixed'),
  'a multipart request': multipart,
};

export const transports: Readonly<Record<string, Ask>> = {
  ...httpTransports,
  'a WebSocket': overWebSocket,
};

/** GET does not execute mutations. */
export const mutationTransports: Readonly<Record<string, Ask>> = Object.fromEntries(
  Object.entries(transports).filter(([, ask]) => ask !== get),
);
