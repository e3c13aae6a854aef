/** What is needed of a request and its response: Node's own, or those of a host. */
import type { Readable, Writable } from 'node:stream';
import type { RequestHead } from './request-head.ts';

/**
 * Emits `postponed` when the process has no time to read more of the body yet, and `cut` when the request ends before all of
 * its body was read, or the body is not valid HTTP.
 */
export interface IncomingRequest extends Readable, RequestHead {
  /** Whether the whole body has arrived. */
  readonly complete: boolean;
  /** When its last bytes were read (`performance.now()`). */
  readonly readAt: number;
}

/** Emits `close` once, also when the caller disconnects, and `finish` when all of it was sent. */
export interface GraphQLResponse extends Writable {
  readonly statusCode: number;
  readonly headersSent: boolean;
  /** `headers`: names and values alternately. */
  writeHead(status: number, headers: string[]): this;
}
