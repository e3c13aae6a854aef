/** Subscriptions as server-sent events, for pages without a WebSocket: `EventSource` cannot send credentials. */
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type { ExecutionResult } from 'graphql';
import type { Client } from 'graphql-ws';
import type { PersistedOption } from '../shared/persisted.ts';
import { operationOf } from '../shared/request.ts';
import type { Session } from '../shared/session.ts';
import { withRenewal } from '../shared/watch.ts';

type Result<Data> = ExecutionResult<Data>;

/** Calls back with each result. Connects again after a lost connection; the returned function ends it. */
export type Subscribe = <Data, Variables>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  onResult: (result: Result<Data>) => void,
  onComplete?: () => void,
) => () => void;

/** `url`: the gateway's address. */
export function createSubscribe(
  url: string,
  session: Session,
  { persisted = false }: PersistedOption = {},
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

  const subscribe: Client['subscribe'] = (operation, sink) => {
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

  const renewing = withRenewal(subscribe, session, () => authorization);
  return (document, variables, onResult, onComplete = () => {}) => {
    const { query = '', extensions } = operationOf(document, persisted);
    const operation = {
      query,
      extensions: { ...extensions },
      variables: variables as Record<string, unknown>,
    };
    const next = (result: unknown) => onResult(result as Result<never>);
    return renewing(operation, { next, error: onComplete, complete: onComplete });
  };
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
