import type { Caller } from '../../caller.ts';
import type { ReadableMessage } from './request-body.ts';
import type { GraphQLResponse } from './response.ts';

/** One GraphQL request over HTTP, with what its adapter to the pipeline needs. */
export interface GraphQLHttpRequest extends ReadableMessage, GraphQLResponse {
  /** Throws when the request's credentials are malformed. */
  readonly caller: () => Caller;
  readonly requestId: string;
  /** Counts the response as an event stream until it ends. Throws when too many are open. */
  readonly onEventStream: () => void;
  /** Call before a large result is written. */
  readonly onLargeResult: () => void;
}
