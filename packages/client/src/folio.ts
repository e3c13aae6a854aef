/** Everything that a page needs of the gateway, without another client. */
import { subscribeOverEventStreams } from './event-stream.ts';
import { createLiveStatuses, type LiveStatuses } from './live-statuses.ts';
import type { Locale } from './locale.ts';
import type { PersistedOption } from './persisted.ts';
import { createRequest, type Request } from './request.ts';
import type { Session } from './session.ts';
import { type Settled, settle } from './settle.ts';
import { createSocket } from './socket.ts';
import { createSubscribe, type Subscribe } from './subscribe.ts';
import { createWrites, type Writes } from './writes.ts';

export interface FolioOptions extends PersistedOption {
  /** How subscriptions are sent: as event streams only where there is `TextDecoderStream`, not in React Native. Default `websocket`. */
  readonly transport?: 'websocket' | 'event-stream';
  /** The language of problems and failures of `scan`, `importInvoices` and `exportDocuments`. Default English. */
  readonly locale?: () => Locale;
}

export interface Folio extends Writes {
  readonly request: Request;
  readonly subscribe: Subscribe;
  /** What became of a write, by its idempotency key. */
  settle(idempotencyKey: string): Promise<Settled>;
  /** A store of its own for each caller. */
  liveStatuses(): LiveStatuses;
}

/** `url`: the gateway's address, `https://…/graphql`. One for each session. */
export function createFolio(url: string, session: Session, options: FolioOptions = {}): Folio {
  const request = createRequest(url, session, options);
  const subscribe =
    options.transport === 'event-stream'
      ? subscribeOverEventStreams(url, session, options)
      : createSubscribe(createSocket(url, session).subscribe, options);
  return {
    ...createWrites(request, options.locale),
    request,
    subscribe,
    settle: (idempotencyKey) => settle(request, idempotencyKey),
    liveStatuses: () => createLiveStatuses(subscribe),
  };
}
