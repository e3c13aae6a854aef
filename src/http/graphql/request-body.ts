/** Reads an operation from a JSON body, bounded in bytes and time before it is parsed. */
import { badRequest, payloadTooLarge, requestTimeout } from '../../errors.ts';
import { type OperationRequest, operationRequestOf } from '../../operation/operation-request.ts';
import type { Holding } from '../../shares/reclaiming-budget.ts';
import { ByteCollector, freeNow } from '../../tools/byte-collector.ts';
import { afterThisTurn } from '../../tools/event-loop-turns.ts';
import { objectFromJson } from '../caller-json.ts';
import { mediaTypeOf } from '../media-type.ts';
import { type RequestHead, requestBytes } from '../request-head.ts';
import type { GraphQLHttpRequest } from './graphql-request.ts';
import { discardRest } from './rest-of-body.ts';

/** Longest time for a whole JSON body (ms): 30 seconds. */
export const bodyDeadlineMs = 30_000;

export function bodyCutShort(): Error {
  return badRequest('The request ended before its body, or its body is not valid HTTP.');
}

/** Throws for a media type or charset that the gateway does not read. */
function checkJsonHeaders({ headers }: RequestHead): void {
  const type = mediaTypeOf(headers['content-type']);
  if (type?.essence !== 'application/json' && type?.essence !== 'application/graphql+json') {
    throw badRequest('The content type must be application/json, or multipart/form-data for a file.', 415);
  }
  const charset = type.params.get('charset')?.toLowerCase() ?? 'utf-8';
  if (charset !== 'utf-8' && charset !== 'utf8') throw badRequest('The charset must be UTF-8.', 415);
}

/** `parse`: returns the operation. Throws the reason why the request is refused. */
type OnBody = (parse: () => OperationRequest) => void;

/** Reads the operation from a JSON body. Throws at once for what `checkJsonHeaders` refuses. `onBody`: called once. */
export function readJsonBody(http: GraphQLHttpRequest, onBody: OnBody): void {
  checkJsonHeaders(http.request);
  new JsonBody(http, onBody);
}

/** One JSON body while it is read. */
class JsonBody {
  readonly #http: GraphQLHttpRequest;
  readonly #onBody: OnBody;
  readonly #maxBytes: number;
  readonly #declaredBytes: number;
  readonly #bytes = new ByteCollector();
  /** Open while the body is read or waits to be parsed. */
  readonly #share: Holding;
  #timer: NodeJS.Timeout | undefined;

  constructor(http: GraphQLHttpRequest, onBody: OnBody) {
    const { request, dependencies } = http;
    this.#http = http;
    this.#onBody = onBody;
    this.#maxBytes = dependencies.config.limits.maxRequestBytes;
    this.#declaredBytes = Number(request.headers['content-length'] ?? 0);
    this.#share = http.holdBody((error) => this.#refuse(error));
    // Most bodies are complete in this turn of the event loop: they hold nothing, and need no timer.
    afterThisTurn(() => this.#wait());
    request.on('data', (chunk: Buffer) => this.#push(chunk)).on('end', () => this.#end());
    request.on('cut', () => this.#close());
    if (this.#declaredBytes > this.#maxBytes) this.#refuse(this.#tooLarge());
  }

  #push(chunk: Buffer): void {
    // What was read before the connection ended still arrives, and what is dropped of a refused body.
    if (!this.#share.isOpen) return;
    if (this.#bytes.length + chunk.length > this.#maxBytes) {
      this.#refuse(this.#tooLarge());
      return;
    }
    this.#bytes.push(chunk);
    if (this.#bytes.length !== this.#declaredBytes) this.#count();
  }

  #wait(): void {
    if (!this.#share.isOpen) return;
    const tooSlow = () => this.#refuse(requestTimeout('The body must arrive within 30 seconds.'));
    this.#timer = setTimeout(tooSlow, bodyDeadlineMs);
    this.#count();
  }

  #count(): void {
    this.#share.hold(requestBytes(this.#http.request) + this.#bytes.held);
  }

  #end(): void {
    if (!this.#share.isOpen) return;
    const later = this.#http.waitForTurn(this.#bytes.length);
    if (!later) {
      this.#complete();
      return;
    }
    // The body counts until it is parsed.
    clearTimeout(this.#timer);
    this.#count();
    void later.then(() => (this.#http.response.closed ? this.#close() : this.#complete()));
  }

  #complete(): void {
    // It may have been dropped while it waited for its turn.
    if (!this.#share.isOpen) return;
    const bytes = this.#bytes.take();
    this.#stop();
    this.#onBody(() => {
      try {
        return operationRequestOf(objectFromJson(bytes, 'The body'));
      } finally {
        freeNow(bytes);
      }
    });
  }

  #close(): void {
    if (this.#share.isOpen) this.#fail(bodyCutShort());
  }

  #refuse(error: Error): void {
    this.#stop();
    void discardRest(this.#http, this.#share.startedAt);
    this.#fail(error);
  }

  #fail(error: Error): void {
    this.#stop();
    this.#onBody(() => {
      throw error;
    });
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#share.close();
    this.#bytes.clear();
  }

  #tooLarge(): Error {
    return payloadTooLarge('The request', this.#maxBytes, 'request');
  }
}
