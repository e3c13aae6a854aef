import type { Caller } from '../../caller.ts';
import type { OperationRequest } from '../../operation/request.ts';
import type { ReadableMessage } from './request-body.ts';

/** One GraphQL request over HTTP, on its way to the pipeline and back. */
export interface GraphQLHttpRequest extends ReadableMessage {
  /** Throws when the request's credentials are malformed. */
  readonly caller: () => Caller;
  readonly requestId: string;
  /** Told that this response is a stream of events, until it ends. Throws when there are too many. */
  readonly onEventStream: () => void;
  /** Told that a large result is about to be written. */
  readonly onLargeResult: () => void;
  /** What the request asks for, once it is read. */
  operation?: OperationRequest;
}
