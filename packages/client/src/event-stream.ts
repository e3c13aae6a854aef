/** Subscriptions as server-sent events, for pages without a WebSocket: `EventSource` cannot send credentials. */
import type { ExecutionResult } from 'graphql';
import type { PersistedOption } from './persisted.ts';
import type { Session } from './session.ts';
import type { Socket } from './socket.ts';
import { createSubscribe, type Subscribe } from './subscribe.ts';
import { withRenewal } from './watch.ts';

type Result<Data> = ExecutionResult<Data>;

/** `url`: the gateway's address. */
export function subscribeOverEventStreams(
  url: string,
  session: Session,
  options?: PersistedOption,
): Subscribe {
  let authorization = '';

  /** The results of one connection. Returns whether the gateway completed the subscription. */
  async function* results(body: object, signal: AbortSignal): AsyncGenerator<Result<never>, boolean, void> {
    const credentials = session.credentials();
    authorization = credentials.authorization;
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...credentials, 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify(body),
      cache: 'no-store',
      signal,
    });
    // Refused before it began, for example by a gateway that shuts down.
    if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
      const result = (await response.json()) as Result<never>;
      if (result.errors?.every(({ extensions }) => extensions['retryable'] === true)) return false;
      yield result;
      return true;
    }
    for await (const { event, data } of eventsOf(response)) {
      if (event === 'complete') return true;
      if (event === 'next') yield JSON.parse(data);
    }
    return false;
  }

  const subscribe: Socket['subscribe'] = (operation, sink) => {
    const cancel = new AbortController();
    void (async () => {
      for (let failures = 0; !cancel.signal.aborted; failures += 1) {
        try {
          const events = results(operation, cancel.signal);
          for (;;) {
            const { done, value } = await events.next();
            if (done && value) return sink.complete();
            if (done) break;
            failures = 0;
            sink.next(value as never);
          }
        } catch {
          // The connection was lost.
        }
        await pause(Math.random() * Math.min(30_000, 250 * 2 ** failures), cancel.signal);
      }
    })();
    return () => cancel.abort();
  };

  return createSubscribe(
    withRenewal(subscribe, session, () => authorization),
    options,
  );
}

interface ServerSentEvent {
  readonly event: string;
  readonly data: string;
}

/** The events of a response. Comments, which keep the connection open, are skipped. */
async function* eventsOf({ body }: Response): AsyncGenerator<ServerSentEvent, void, void> {
  // Not `for await`: Safari cannot iterate over a stream.
  const reader = (body as ReadableStream<BufferSource>).pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const lines of events) {
      const member = (name: string) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(lines)?.[1] ?? '';
      yield { event: member('event'), data: member('data') };
    }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
