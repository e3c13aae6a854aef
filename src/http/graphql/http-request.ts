import type { Caller } from '../../caller.ts';
import type { ReadableMessage } from './request-body.ts';

/** One GraphQL request over HTTP, with what its adapter to the pipeline needs. */
export interface GraphQLHttpRequest extends ReadableMessage {
  /** Throws when the request's credentials are malformed. */
  readonly caller: () => Caller;
  readonly requestId: string;
  /** Headers of the response, names and values alternately: written together, since each `setHeader` costs as much as all. */
  readonly headers: readonly string[];
  /** Counts the response as an event stream until it ends. Throws when too many are open. */
  readonly onEventStream: () => void;
  /** Call before a large result is written. */
  readonly onLargeResult: () => void;
}
