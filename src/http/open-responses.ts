/** The responses of the server that are not complete. */
import { ServerResponse } from 'node:http';
import { Bag, type BagItem } from '../tools/bag.ts';
import type { PacedRequest } from './connection/paced-request.ts';
import type { GraphQLHttpRequest } from './graphql/graphql-request.ts';
import type { GraphQLResponse } from './request-and-response.ts';
import { requestBytes } from './request-head.ts';
import { leastUnsentBytes, type UnreadResult } from './unread-results.ts';

export class TrackedResponse extends ServerResponse<PacedRequest> implements BagItem {
  placeInBag = -1;
  /** Length of its body if all clients are sent the same bytes in memory. */
  sharedBytes = 0;
  /** Counts the bytes that were not sent at once; undefined while there are none. */
  unsent: UnreadResult | undefined;
  /** Called when a large part of a write, or any part of the end, was not sent at once. */
  onUnsent: ((response: TrackedResponse) => void) | undefined;
  /** Called before its head is written. */
  onHead: ((response: TrackedResponse) => void) | undefined;
  /** Its request, once that is being read as GraphQL. */
  http: GraphQLHttpRequest | undefined;

  get unsentBytes(): number {
    const { writableLength, sharedBytes } = this;
    return writableLength > 0 ? Math.max(0, writableLength - sharedBytes) + requestBytes(this.req) : 0;
  }

  override writeHead(...head: unknown[]): this {
    this.onHead?.(this);
    return super.writeHead(...(head as [number]));
  }

  override write(chunk: unknown): boolean {
    const isSent = super.write(chunk, () => this.unsent?.sent());
    if (this.writableLength >= leastUnsentBytes) this.onUnsent?.(this);
    return isSent;
  }

  override end(...chunk: unknown[]): this {
    super.end(...(chunk as []));
    // However little it is: its request is kept, too.
    if (this.writableLength > 0) this.onUnsent?.(this);
    return this;
  }
}

interface OpenResponse extends BagItem, GraphQLResponse {
  readonly unsent: UnreadResult | undefined;
}

/** Each until it closes. */
export class OpenResponses<T extends OpenResponse> extends Bag<T> {
  override add(response: T): void {
    super.add(response);
    response.on('close', () => {
      this.delete(response);
      response.unsent?.close();
    });
  }
}
