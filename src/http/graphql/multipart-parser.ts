/** The parser of multipart requests, with bounds on the number and the headers of their parts. */
import type { Readable } from 'node:stream';
import { Dicer } from '@fastify/busboy';
import { badRequest } from '../../errors.ts';
import { mediaTypeOf } from '../media-type.ts';
import type { RequestHead } from '../request-head.ts';
import { maxPartHeaderBytes, maxPartHeaders, type PartHead, readPartHead } from './part-head.ts';

/** A part of a form: its content is `stream`. */
export interface Part extends PartHead {
  readonly stream: Readable;
}

const maxParts = 4;
/** Longest boundary (bytes): Dicer takes no longer one, and RFC 2046, section 5.1.1, has at most 70. */
const maxBoundaryBytes = 252;

/** Memory of a piece of headers besides its characters: Dicer joins them when the last one has come (bytes). */
const pieceBytes = 64;

/** Members of Dicer, whose types do not have them. The tests of parts in pieces and of their memory notice a change. */
interface OpenDicer {
  /** Whether the rest of the request waits until a part is read. */
  readonly _pause: boolean;
  /** The part that has not ended. */
  readonly _part?: Readable;
  readonly _inHeader: boolean;
  /** `nread`: characters of the headers that it collects. Undefined after the last part. */
  readonly _hparser?: { readonly nread: number } | undefined;
  _unpause(): void;
}

/**
 * Emits `field` with a `Part` when the headers of one are read. Dicer splits the request, and Busboy, which is built on it, is
 * not used: it changes file names and media types. After an invalid part `error` is emitted, and nothing more of the request is
 * read: one chunk can have thousands of parts.
 */
export class MultipartParser extends Dicer {
  #hasFailed = false;
  /** Of the headers that are being read. */
  #pieces = 0;

  /** Memory of the headers of a part while they arrive (bytes). */
  get headBytes(): number {
    const { nread = 0 } = (this as unknown as OpenDicer)._hparser ?? {};
    return nread === 0 ? 0 : nread + this.#pieces * pieceBytes;
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    // Node writes the chunks that wait behind one with an error before it reports the error.
    if (this.#hasFailed) {
      done();
      return;
    }
    this.#pieces = this.headBytes === 0 ? 1 : this.#pieces + 1;
    try {
      super._write(chunk, encoding, done);
      // Dicer continues when a part is read, but not one that has ended, which it forgets if its end came alone.
      const { _pause, _part, _inHeader } = this as unknown as OpenDicer;
      if (_pause && (!_part || _inHeader)) (this as unknown as OpenDicer)._unpause();
    } catch (error) {
      this.#hasFailed = true;
      done(error as Error);
    }
  }
}

/** Throws BAD_REQUEST when the boundary is missing or too long. */
export function createMultipartParser(request: RequestHead): MultipartParser {
  const boundary = mediaTypeOf(request.headers['content-type'])?.params.get('boundary');
  if (!boundary || Buffer.byteLength(boundary) > maxBoundaryBytes)
    throw badRequest(
      `The content type of a multipart request must have a boundary, of at most ${maxBoundaryBytes} bytes.`,
    );
  // What is over a bound of Dicer's is cut without an error: these are larger than the bounds that are checked.
  const bounds = { maxHeaderPairs: maxPartHeaders + 1, maxHeaderSize: 2 * maxPartHeaderBytes };
  // One chunk waits for the reader of a part, and one behind it. Bounds in bytes would let 65,536 chunks of one byte wait in each.
  const waiting = { partHwm: 1, highWaterMark: 1 };
  const parser = new MultipartParser({ boundary, ...bounds, ...waiting });
  let parts = 0;
  return parser.on('part', (stream) => {
    parts += 1;
    if (parts > maxParts) throw badRequest(`A multipart request can have at most ${maxParts} parts.`);
    // The parser emits the error too.
    stream.on('error', () => {});
    stream.on('header', (headers) => {
      const head = readPartHead(headers as Parameters<typeof readPartHead>[0]);
      // A part that is not one of a form is dropped.
      if (head) parser.emit('field', { ...head, stream } satisfies Part);
      else stream.resume();
    });
  });
}
