/** The parser of multipart requests, with bounds on the number and the headers of their parts. */
import type { Readable } from 'node:stream';
import { Dicer } from '@fastify/busboy';
import { badRequest } from '../../errors.ts';
import { mediaTypeOf } from '../media-type.ts';
import type { RequestHead } from '../request-head.ts';
import { maxPartHeaderBytes, maxPartHeaders, type PartHead, readPartHead } from './part-head.ts';

const maxParts = 4;

interface PartHandlers {
  /** Called when a part begins: those before it have arrived. */
  readonly onPart: (stream: Readable) => void;
  /** Called when its headers are read, unless they name no part of a form: its content is dropped. */
  readonly onHead: (head: PartHead, stream: Readable) => void;
  /** Called for a part with headers that are refused, and for too many parts. */
  readonly onRefusal: (error: Error) => void;
}

/**
 * Each part is a stream. Dicer splits the request, and Busboy, which is built on it, is not used: it changes file names and
 * media types. Throws BAD_REQUEST when the boundary is missing.
 */
export function createMultipartParser(
  request: RequestHead,
  { onPart, onHead, onRefusal }: PartHandlers,
): Dicer {
  const boundary = mediaTypeOf(request.headers['content-type'])?.params.get('boundary');
  if (!boundary) throw badRequest('The content type of a multipart request must have a boundary.');
  // What is over a bound of Dicer's is cut without an error: these are larger than the bounds that are checked.
  const bounds = { maxHeaderPairs: maxPartHeaders + 1, maxHeaderSize: 2 * maxPartHeaderBytes };
  const parser = new Dicer({ boundary, ...bounds });
  let parts = 0;
  return parser.on('part', (stream) => {
    onPart(stream);
    stream.on('header', (headers) => {
      try {
        parts += 1;
        if (parts > maxParts) throw badRequest(`A multipart request can have at most ${maxParts} parts.`);
        const head = readPartHead(headers as Parameters<typeof readPartHead>[0]);
        if (head) onHead(head, stream);
        else stream.resume();
      } catch (error) {
        stream.resume();
        onRefusal(error as Error);
      }
    });
  });
}
