/** Subscriptions as server-sent events, for pages without a WebSocket: `EventSource` cannot send credentials. */
import { readResponse, redirect } from './graphql-response.ts';
import type { PersistedOption } from './persisted.ts';
import { retryAfterMsOf } from './retry-rule.ts';
import type { Credentials, Session } from './session.ts';
import type { Socket, SocketSink } from './socket.ts';
import { createSubscribe, type Subscribe } from './subscribe.ts';
import { withRenewal } from './subscription-renewal.ts';
import { pause, reconnectMs, worksAfterMs } from './wait-to-repeat.ts';

/** Longest silence of a connection (ms): the gateway sends a comment every 12 seconds. One of a laptop that slept is dead. */
const silenceMs = 30_000;

const unsupported = 'Event streams need TextDecoderStream: use the transport "websocket".';

/** `url`: the gateway's address. */
export function subscribeOverEventStreams(
  url: string,
  session: Session,
  options?: PersistedOption,
): Subscribe {
  /**
   * Receives the results of one connection. Resolves with the shortest time before there may be another one (ms); undefined: the
   * gateway completed the subscription.
   */
  async function receive(
    body: object,
    credentials: Credentials,
    connection: AbortController,
    onResult: SocketSink['next'],
  ): Promise<number | undefined> {
    const response = await orSilent(connection, () =>
      fetch(url, {
        method: 'POST',
        // What is refused before it begins comes as JSON.
        headers: {
          ...credentials,
          'content-type': 'application/json',
          accept: 'text/event-stream, application/json',
        },
        body: JSON.stringify(body),
        cache: 'no-store',
        redirect,
        signal: connection.signal,
      }),
    );
    // Refused before it began, for example by a gateway that has no room.
    if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
      const result = await readResponse(response, true);
      if (result.errors.every(({ extensions }) => extensions?.['retryable'] === true))
        return Math.max(0, ...result.errors.map(retryAfterMsOf));
      onResult(result as Parameters<typeof onResult>[0]);
      return undefined;
    }
    for await (const { event, data } of eventsOf(response, connection)) {
      if (event === 'complete') return undefined;
      if (event === 'next') onResult(JSON.parse(data));
    }
    return 0;
  }

  return createSubscribe((operation, sink) => {
    let authorization = '';

    const subscribe: Socket['subscribe'] = (operation, sink) => {
      const cancel = new AbortController();
      void (async () => {
        if (!globalThis.TextDecoderStream) {
          // Not before `subscribe` has returned.
          await Promise.resolve();
          return sink.error(new TypeError(unsupported));
        }
        for (let failures = 0; !cancel.signal.aborted; failures += 1) {
          const connection = new AbortController();
          const begunAt = performance.now();
          let requiredMs = 0;
          const end = () => connection.abort();
          cancel.signal.addEventListener('abort', end);
          try {
            const credentials = session.credentials();
            authorization = credentials.authorization;
            const restMs = await receive(operation, credentials, connection, sink.next);
            if (restMs === undefined) return sink.complete();
            requiredMs = restMs;
          } catch {
            // The connection was lost.
          } finally {
            end();
            cancel.signal.removeEventListener('abort', end);
          }
          if (performance.now() - begunAt >= worksAfterMs) failures = 0;
          await pause(Math.max(requiredMs, reconnectMs(failures)), cancel.signal);
        }
      })();
      return () => cancel.abort();
    };

    return withRenewal(subscribe, session, () => authorization)(operation, sink);
  }, options);
}

/** Aborts the connection when nothing of it arrives for too long. */
async function orSilent<T>(connection: AbortController, receive: () => Promise<T>): Promise<T> {
  const timer = setTimeout(() => connection.abort(), silenceMs);
  return await receive().finally(() => clearTimeout(timer));
}

interface ServerSentEvent {
  readonly event: string;
  readonly data: string;
}

/**
 * The events of a response, read as the HTML standard says (Interpreting an event stream); an event without data counts too.
 * Comments, which keep the connection open, are skipped.
 */
async function* eventsOf(
  { body }: Response,
  connection: AbortController,
): AsyncGenerator<ServerSentEvent, void, void> {
  // Not `for await`: Safari cannot iterate over a stream.
  const reader = (body as ReadableStream<BufferSource>).pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  let endsWithReturn = false;
  let event = '';
  let data: string[] = [];
  for (;;) {
    const { done, value } = await orSilent(connection, () => reader.read());
    if (done) return;
    // The second half of a line end whose first half has ended a line.
    const chunk = endsWithReturn && value.startsWith('\n') ? value.slice(1) : value;
    endsWithReturn = value.endsWith('\r');
    const lines = chunk.split(/\r\n|\r|\n/);
    lines[0] = text + lines[0];
    text = lines.pop() ?? '';
    for (const line of lines) {
      const [, name, member = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
      if (name === 'event') event = member;
      if (name === 'data') data.push(member);
      if (line !== '') continue;
      if (event !== '' || data.length > 0) yield { event, data: data.join('\n') };
      event = '';
      data = [];
    }
  }
}
