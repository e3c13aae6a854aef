import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '../../caller.ts';
import type { ReclaimingBudget } from '../../shares/reclaiming-budget.ts';

/** One GraphQL request over HTTP, with what its adapter to the pipeline needs. */
export interface GraphQLHttpRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Headers of the response, names and values alternately: written together, since each `setHeader` costs as much as all. */
  readonly headers: readonly string[];
  /** Counts the bytes of the body while it is read. */
  readonly bodies: ReclaimingBudget;
  readonly requestId: string;
  /** Throws when the request's credentials are malformed. */
  readonly caller: () => Caller;
  /** Counts the response as an event stream until it ends. Throws when too many are open. */
  readonly onEventStream: () => void;
  /** Call before a large result is written. */
  readonly onLargeResult: () => void;
}
