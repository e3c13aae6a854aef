/** A GraphQL request over HTTP: what its reader and its operation need of Node's request and response, or of others. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { Caller, CallerIdentity } from '../../caller.ts';
import type { GatewayError } from '../../errors.ts';
import type { Holding } from '../../shares/reclaiming-budget.ts';

export type RequestHead = Pick<IncomingMessage, 'method' | 'url' | 'headers' | 'rawHeaders'>;

export interface IncomingRequest extends Readable, RequestHead {
  /** Whether the whole body has arrived. */
  readonly complete: boolean;
  /** When its last bytes were read (`performance.now()`). */
  readonly readAt: number;
}

/** The progress of a response. `close` is emitted once, also when the caller disconnects; `finish` when all of it was sent. */
export interface ResponseProgress
  extends Readonly<
    Pick<ServerResponse, 'statusCode' | 'closed' | 'destroyed' | 'writableFinished' | 'writableLength'>
  > {
  destroy(): unknown;
  on(event: 'close' | 'finish', listener: () => void): unknown;
  once(event: 'close' | 'finish', listener: () => void): unknown;
}

/** One GraphQL request, with what its adapter to the pipeline needs. */
export interface GraphQLHttpRequest {
  readonly request: IncomingRequest;
  readonly response: ResponseProgress;
  /** Headers of the response, names and values alternately: written together, since each `setHeader` costs as much as all. */
  readonly headers: string[];
  /** Counts bytes of the body while they are held. `drop` must stop that. `isSilent`: as for `ReclaimingBudget`. */
  readonly holdBody: (drop: (error: GatewayError) => void, isSilent?: boolean) => Holding;
  /** Counts an uploaded file, and returns a function that releases it, once. Throws when there are too many. */
  readonly holdFile: () => () => void;
  /** Call when the operation has arrived: resolves when the process has time for it; undefined if that is now. */
  readonly turn: () => Promise<void> | undefined;
  readonly requestId: string;
  /** Throws when the request's credentials are malformed. */
  readonly identity: () => CallerIdentity;
  /** The caller of the operation. Throws like `identity`. */
  readonly caller: () => Caller;
  /** Counts the response as an event stream until it ends. Throws when too many are open. */
  readonly onEventStream: () => void;
}
