/** Reads requests of the GraphQL multipart request specification. The operation runs while its file still arrives. */
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
import { type FileTarget, fileTarget } from './file-target.ts';
import type { GraphQLHttpRequest } from './graphql-request.ts';
import { createMultipartParser, type MultipartParser } from './multipart-parser.ts';
import type { PartHead } from './part-head.ts';
import { bodyCutShort, bodyDeadlineMs } from './request-body.ts';
import { discardRest } from './rest-of-body.ts';

/** Longest time without a byte while the gateway reads (ms): 30 seconds. */
const stallMs = 30_000;

/**
 * Resolves when the headers of the file are read, with an `UploadedFile` among the variables. Rejects with BAD_REQUEST
 * or PAYLOAD_TOO_LARGE.
 */
export function readMultipart(message: GraphQLHttpRequest): Promise<OperationRequest> {
  return new MultipartRequest(message).begun.promise;
}

/**
 * One multipart request. Its parts arrive in this order: `operations`, `map`, the file. The operation is handed over when
 * the file begins; the file's reader gets every later failure from its stream.
 */
class MultipartRequest {
  readonly #message: GraphQLHttpRequest;
  readonly #parser: MultipartParser;
  readonly begun = Promise.withResolvers<OperationRequest>();
  /** Resolves when the whole request has been read and is valid. */
  readonly #whole = Promise.withResolvers<void>();

  readonly #share: Holding;
  readonly #beginning: NodeJS.Timeout;
  readonly #stallTimer: NodeJS.Timeout;

  /** From the part `operations` until the operation is handed over: it is not kept while it runs. */
  #operation: OperationRequest | undefined;
  /** Size of the operation until its file begins. */
  #operationBytes = 0;
  /** The text part that must come next; undefined after both, and after a failure. */
  #expected: 'operations' | 'map' | undefined = 'operations';
  #target: FileTarget | undefined;
  #finishField: (() => void) | undefined;
  #file: Readable | undefined;
  #releaseFile: () => void = () => {};
  /** Whether the parser has read the request to its end. */
  #isWhole = false;
  /** The share of a file that its reader holds as a whole. */
  readonly #fileShare: Holding;
  /** Also of a part behind the file. */
  readonly #headShare: Holding;

  constructor(message: GraphQLHttpRequest) {
    this.#message = message;
    this.#parser = createMultipartParser(message.request, {
      onPart: (stream) => this.#beginPart(stream),
      onHead: (head, stream) => this.#readPart(head, stream),
    });
    this.#share = message.holdBody((error) => this.#fail(error));
    this.#fileShare = message.holdBody((error) => this.#fail(error));
    this.#headShare = message.holdBody((error) => this.#fail(error));
    this.#beginning = setTimeout(
      () => this.#fail(requestTimeout('The file must begin within 30 seconds.')),
      bodyDeadlineMs,
    );
    this.#stallTimer = setTimeout(() => this.#checkStalled(), stallMs);
    // The reader of the file gets the error from its stream. Without a reader the rejection is ignored.
    this.#whole.promise.catch(() => {});
    this.#read();
    this.#holdField(0);
  }

  #read(): void {
    const { request, response } = this.#message;
    const parser = this.#parser;
    parser.on('error', (error) =>
      this.#fail(error instanceof GatewayError ? error : badRequest('The multipart body is malformed.')),
    );
    parser.on('finish', () => this.#finish());
    request.on('cut', () => {
      if (!request.complete) this.#fail(bodyCutShort());
    });
    response.on('close', () => this.#responded());
    const onProgress = () => this.#stallTimer.refresh();
    request.on('data', onProgress).on('postponed', onProgress);
    request.pipe(parser);
    // The parser reads each chunk first.
    request.on('data', () => this.#holdHead(parser.headBytes));
  }

  #beginPart(stream: Readable): void {
    // The stream can fail one tick before the parser does.
    stream.on('error', () => this.#fail(fileCutShort()));
    this.#finishField?.();
  }

  /** A text part is collected in bounded memory, as bytes. */
  #readPart(head: PartHead, stream: Readable): void {
    const { name, filename, contentType } = head;
    const type = mediaTypeOf(contentType);
    const isText = filename === undefined && type?.essence !== 'application/octet-stream';
    const charset = type?.params.get('charset') ?? 'utf-8';
    if (!isText) this.#beginFile(head, stream);
    // Before it is read: the log has the error of a part that is too large, and so its name.
    else if (name === this.#target?.key)
      throw badRequest(`The part "${name}" is a text: send a file, with a file name.`);
    else if (name !== this.#expected) throw wrongParts();
    else if (/^(utf-?8|us-ascii)$/i.test(charset)) this.#finishField = this.#readField(name, stream);
    else throw badRequest('The charset of a text part must be UTF-8.');
  }

  /** Collects a text part. Returns a function to call when the next part begins: by then the whole part was parsed. */
  #readField(name: string, stream: Readable): () => void {
    const { maxRequestBytes } = this.#message.dependencies.config.limits;
    const collector = new ByteCollector();
    let isOver = false;
    const finish = () => {
      // `read` emits the rest of the stream as `data`.
      while (!isOver && stream.read() !== null);
      if (isOver) return;
      isOver = true;
      try {
        this.#useField(name, collector.take());
        this.#holdField(0);
      } catch (error) {
        this.#fail(error as Error);
      }
    };
    stream.on('data', (chunk: Buffer) => {
      if (isOver) return;
      isOver = collector.length + chunk.length > maxRequestBytes;
      if (isOver) return this.#fail(payloadTooLarge(`"${name}"`, maxRequestBytes, 'request'));
      collector.push(chunk);
      this.#holdField(collector.held);
    });
    stream.on('end', finish);
    return finish;
  }

  #useField(name: string, bytes: Buffer): void {
    // After a failure nothing is expected.
    if (name !== this.#expected) return;
    if (name === 'operations') {
      this.#operation = operationRequestOf(objectFromJson(bytes, '"operations"'));
      this.#expected = 'map';
      this.#operationBytes = memoryOf(this.#operation);
    } else {
      this.#expected = undefined;
      this.#target = fileTarget(this.#operation as OperationRequest, bytes);
      if (this.#target === undefined) this.#begin();
    }
  }

  #beginFile({ name, filename, contentType }: PartHead, stream: Readable): void {
    const target = this.#target;
    if (this.#file) throw wrongParts();
    if (name !== target?.key)
      throw badRequest(`The part "${name}" is not named in "map", or comes before it.`);
    this.#releaseFile = this.#message.holdFile();
    this.#file = stream;
    const { dependencies, response } = this.#message;
    dependencies.metrics.uploads.inc();
    response.on('close', () => dependencies.metrics.uploads.dec());
    const hold = (bytes: number) => this.#holdFileBytes(bytes);
    target.put(new UploadedFile(filename || 'file', contentType, this.#contentOf(stream), hold));
    // It refers to the variables, which are not kept while the operation runs.
    this.#target = undefined;
    this.#begin();
  }

  /**
   * The bytes of the file. The iterator ends only when the whole request has been read and is valid. Throws the error of
   * the request: always a GatewayError without side effect.
   */
  async *#contentOf(stream: Readable): AsyncGenerator<Uint8Array, void, void> {
    const { config, metrics } = this.#message.dependencies;
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

  /** Hands the operation over. It counts until then. */
  #begin(): void {
    const operation = this.#operation as OperationRequest;
    this.#operation = undefined;
    const handOver = () => {
      this.#endReading();
      this.begun.resolve(operation);
    };
    const later = this.#message.waitForTurn();
    if (later) void later.then(handOver);
    else handOver();
  }

  #finish(): void {
    this.#isWhole = true;
    this.#finishField?.();
    if (this.#expected) this.#fail(badRequest(`The part "${this.#expected}" is missing.`));
    else if (this.#target !== undefined && this.#file === undefined)
      this.#fail(badRequest(`The file part "${this.#target.key}", which "map" names, is missing.`));
    else this.#whole.resolve();
    clearTimeout(this.#stallTimer);
  }

  /** The response was sent, or the caller disconnected: a reader must not wait for the rest of the request. */
  #responded(): void {
    if (this.#isWhole) this.#dropRest();
    else this.#fail(fileCutShort());
  }

  #fail(error: Error): void {
    this.#endReading();
    // The rest of the request is still read and dropped.
    this.#operation = undefined;
    this.#expected = undefined;
    this.#target = undefined;
    clearTimeout(this.#stallTimer);
    this.#whole.reject(error);
    this.#file?.destroy(error);
    this.#dropRest();
    this.begun.reject(error);
  }

  #dropRest(): void {
    this.#releaseFile();
    this.#fileShare.close();
    this.#headShare.close();
    this.#message.request.unpipe(this.#parser);
    void discardRest(this.#message, this.#share.startedAt);
  }

  #checkStalled(): void {
    // A request paused by backpressure does not count as stalled.
    if (this.#message.request.isPaused()) this.#stallTimer.refresh();
    else
      this.#fail(
        requestTimeout('The upload was aborted because no byte arrived for 30 seconds; nothing was done.'),
      );
  }

  /** Counts the part that is being read as a request body, together with the operation that waits for its file. */
  #holdField(bytes: number): void {
    this.#share.hold(requestBytes(this.#message.request) + this.#operationBytes + bytes);
  }

  /** Counts the headers of a part while they arrive. */
  #holdHead(bytes: number): void {
    if (bytes !== this.#headShare.bytes) this.#headShare.hold(bytes);
  }

  #endReading(): void {
    clearTimeout(this.#beginning);
    this.#share.close();
  }

  /** Counts the bytes of a file that is held as a whole. */
  #holdFileBytes(bytes: number): void {
    this.#fileShare.hold(bytes);
    const { isOpen, startedAt } = this.#fileShare;
    if (isOpen && performance.now() - startedAt > longestArrivalMs(bytes))
      this.#fail(requestTimeout('The file arrived too slowly; nothing was done.'));
  }
}

function wrongParts(): GatewayError {
  return badRequest(
    'A multipart request must have the parts "operations", "map" and at most one file, in this order.',
  );
}

function fileCutShort(): GatewayError {
  return badRequest('The request ended before the end of its file; nothing was done.');
}
