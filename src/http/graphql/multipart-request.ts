/** Reads requests of the GraphQL multipart request specification. The operation runs while its file still arrives. */
import { on } from 'node:events';
import type { Readable } from 'node:stream';
import { badRequest, GatewayError, payloadTooLarge, requestTimeout } from '../../errors.ts';
import { UploadedFile } from '../../graphql/uploaded-file.ts';
import { type OperationRequest, operationRequestOf } from '../../operation/operation-request.ts';
import { memoryOf } from '../../operation/variable-memory.ts';
import type { Holding } from '../../shares/reclaiming-budget.ts';
import { ByteCollector } from '../../tools/byte-collector.ts';
import { longestArrivalMs } from '../../upstream/multipart.ts';
import { objectFromJson } from '../caller-json.ts';
import { mediaTypeOf } from '../media-type.ts';
import { requestBytes } from '../request-head.ts';
import { fileTarget } from './file-target.ts';
import type { GraphQLHttpRequest } from './graphql-request.ts';
import { createMultipartParser, type MultipartParser, type Part } from './multipart-parser.ts';
import type { PartHead } from './part-head.ts';
import { bodyCutShort, bodyDeadlineMs } from './request-body.ts';
import { discardRest } from './rest-of-body.ts';

/** Longest time without a byte while the gateway reads (ms): 30 seconds. */
const stallMs = 30_000;

/**
 * Resolves when the headers of the file are read, with an `UploadedFile` among the variables. Rejects with BAD_REQUEST
 * or PAYLOAD_TOO_LARGE.
 */
export function readMultipart(http: GraphQLHttpRequest): Promise<OperationRequest> {
  return new MultipartRequest(http).operation.promise;
}

/**
 * One multipart request. Its parts arrive in this order: `operations`, `map`, the file. The operation is handed over when
 * the file begins; the file's reader gets every later failure from its stream.
 */
class MultipartRequest {
  readonly operation = Promise.withResolvers<OperationRequest>();
  readonly #http: GraphQLHttpRequest;
  readonly #parser: MultipartParser;
  readonly #parts: NodeJS.AsyncIterator<[Part]>;
  /** Resolves when the whole request has been read and is valid. */
  readonly #whole = Promise.withResolvers<void>();
  /** Whether the parser has read the request to its end. */
  #hasArrived = false;
  #failure: Error | undefined;

  readonly #share: Holding;
  /** Of the request with its operation, until that is handed over: they count as a request body. */
  #operationBytes: number;
  /** Of the part that is being read and is held as a whole. */
  #partBytes = 0;
  /** The part that is read, or was read last. */
  #part: Readable | undefined;
  #releaseFile: () => void = () => {};
  #fileHeldSince: number | undefined;

  readonly #beginning: NodeJS.Timeout;
  readonly #stallTimer: NodeJS.Timeout;

  constructor(http: GraphQLHttpRequest) {
    const { request, response } = http;
    this.#http = http;
    this.#parser = createMultipartParser(request);
    this.#parts = on(this.#parser, 'field', { close: ['finish'] }) as NodeJS.AsyncIterator<[Part]>;
    this.#share = http.holdBody((error) => this.#fail(error));
    this.#operationBytes = requestBytes(request);
    const late = () => this.#fail(requestTimeout('The file must begin within 30 seconds.'));
    this.#beginning = setTimeout(late, bodyDeadlineMs);
    this.#stallTimer = setTimeout(() => this.#checkStalled(), stallMs);
    // The reader of the file gets the error from its stream. Without a reader the rejection is ignored.
    this.#whole.promise.catch(() => {});
    this.#parser.on('error', (error) => this.#fail(error));
    this.#parser.on('finish', () => this.#arrived());
    request.on('cut', () => {
      if (!request.complete) this.#fail(bodyCutShort());
    });
    response.on('close', () => this.#responded());
    request.pipe(this.#parser);
    // The parser reads each chunk first.
    request.on('data', () => {
      this.#stallTimer.refresh();
      this.#count();
    });
    request.on('postponed', () => this.#stallTimer.refresh());
    this.#count();
    this.#read().catch((error) => this.#fail(error));
  }

  async #read(): Promise<void> {
    this.operation.resolve(await this.#readOperation());
    if (await this.#nextPart()) throw wrongParts();
    this.#whole.resolve();
  }

  /** A function of its own: the variables are not kept while the operation runs. */
  async #readOperation(): Promise<OperationRequest> {
    const operation = operationRequestOf(objectFromJson(await this.#readText('operations'), '"operations"'));
    this.#operationBytes += memoryOf(operation);
    this.#count();
    const target = fileTarget(operation, await this.#readText('map'));
    if (target) target.put(await this.#beginFile(target.key));
    // The operation counts until it is handed over.
    await this.#http.waitForTurn();
    clearTimeout(this.#beginning);
    this.#operationBytes = 0;
    this.#count();
    return operation;
  }

  /** Undefined at the end of the request. */
  async #nextPart(): Promise<Part | undefined> {
    const { value } = await this.#parts.next();
    // It may have failed since the part began.
    if (this.#failure) throw this.#failure;
    return value?.[0];
  }

  async #readText(name: 'operations' | 'map'): Promise<Buffer> {
    const { maxRequestBytes } = this.#http.dependencies.config.limits;
    const part = await this.#nextPart();
    if (!part) throw badRequest(`The part "${name}" is missing.`);
    const charset = charsetOf(part);
    if (charset === undefined) throw notInMap(part);
    // Before it is read: the log has the error of a part that is too large, and so its name.
    if (part.name !== name) throw wrongParts();
    if (!/^(utf-?8|us-ascii)$/i.test(charset)) throw badRequest('The charset of a text part must be UTF-8.');
    this.#part = part.stream;
    const bytes = new ByteCollector();
    for await (const chunk of part.stream as AsyncIterable<Buffer>) {
      if (bytes.length + chunk.length > maxRequestBytes)
        throw payloadTooLarge(`"${name}"`, maxRequestBytes, 'request');
      bytes.push(chunk);
      this.#count(bytes.held);
    }
    this.#count(0);
    return bytes.take();
  }

  /** `key`: the name of its part. */
  async #beginFile(key: string): Promise<UploadedFile> {
    const part = await this.#nextPart();
    if (!part) throw badRequest(`The file part "${key}", which "map" names, is missing.`);
    const { name, filename, contentType, stream } = part;
    const isText = charsetOf(part) !== undefined;
    if (isText && name === key)
      throw badRequest(`The part "${name}" is a text: send a file, with a file name.`);
    if (isText) throw wrongParts();
    if (name !== key) throw notInMap(part);
    this.#releaseFile = this.#http.holdFile();
    this.#part = stream;
    const { dependencies, response } = this.#http;
    dependencies.metrics.uploads.inc();
    response.on('close', () => dependencies.metrics.uploads.dec());
    const hold = (bytes: number) => this.#holdFile(bytes);
    return new UploadedFile(filename || 'file', contentType, this.#contentOf(stream), hold);
  }

  /**
   * The bytes of the file. The iterator ends only when the whole request has been read and is valid. Throws the error of
   * the request: always a GatewayError without side effect.
   */
  async *#contentOf(stream: Readable): AsyncGenerator<Uint8Array, void, void> {
    const { config, metrics } = this.#http.dependencies;
    const { maxUploadBytes } = config.limits;
    let bytes = 0;
    try {
      for await (const chunk of stream as AsyncIterable<Uint8Array>) {
        bytes += chunk.length;
        if (bytes > maxUploadBytes) {
          const tooLarge = payloadTooLarge('The file', maxUploadBytes, 'file');
          this.#fail(tooLarge);
          throw tooLarge;
        }
        metrics.uploadBytes.inc(chunk.length);
        yield chunk;
      }
    } catch (error) {
      await this.#whole.promise;
      throw error;
    }
    const late = requestTimeout('The request must end within 30 seconds after its file; nothing was done.');
    const timer = setTimeout(() => this.#fail(late), bodyDeadlineMs);
    await this.#whole.promise.finally(() => clearTimeout(timer));
  }

  /** Counts the bytes of a file that is held as a whole. */
  #holdFile(bytes: number): void {
    this.#count(bytes);
    this.#fileHeldSince ??= performance.now();
    if (this.#share.isOpen && performance.now() - this.#fileHeldSince > longestArrivalMs(bytes))
      this.#fail(requestTimeout('The file arrived too slowly; nothing was done.'));
  }

  /** Also the headers of a part while they arrive. */
  #count(partBytes = this.#partBytes): void {
    this.#partBytes = partBytes;
    const bytes = this.#operationBytes + partBytes + this.#parser.headBytes;
    if (bytes !== this.#share.bytes) this.#share.hold(bytes);
  }

  #checkStalled(): void {
    // A request paused by backpressure does not count as stalled.
    if (this.#http.request.isPaused()) this.#stallTimer.refresh();
    else
      this.#fail(
        requestTimeout('The upload was aborted because no byte arrived for 30 seconds; nothing was done.'),
      );
  }

  #arrived(): void {
    this.#hasArrived = true;
    clearTimeout(this.#stallTimer);
  }

  /** The response was sent, or the caller disconnected: a reader must not wait for the rest of the request. */
  #responded(): void {
    if (this.#hasArrived) this.#stop();
    else this.#fail(badRequest('The request ended before the end of its file; nothing was done.'));
  }

  #fail(error: Error): void {
    this.#failure ??= error instanceof GatewayError ? error : badRequest('The multipart body is malformed.');
    this.operation.reject(this.#failure);
    this.#whole.reject(this.#failure);
    this.#part?.destroy(this.#failure);
    void this.#parts.throw?.(this.#failure);
    this.#stop();
  }

  /** The rest of the request is still read and dropped. */
  #stop(): void {
    clearTimeout(this.#beginning);
    clearTimeout(this.#stallTimer);
    this.#releaseFile();
    this.#share.close();
    this.#http.request.unpipe(this.#parser);
    void discardRest(this.#http, this.#share.startedAt);
  }
}

/** The charset of a text; undefined for a file. */
function charsetOf({ filename, contentType }: PartHead): string | undefined {
  const type = mediaTypeOf(contentType);
  const isText = filename === undefined && type?.essence !== 'application/octet-stream';
  return isText ? (type?.params.get('charset') ?? 'utf-8') : undefined;
}

function notInMap({ name }: PartHead): GatewayError {
  return badRequest(`The part "${name}" is not named in "map", or comes before it.`);
}

function wrongParts(): GatewayError {
  return badRequest(
    'A multipart request must have the parts "operations", "map" and at most one file, in this order.',
  );
}
