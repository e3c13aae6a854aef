/** The parser of multipart requests, with bounds on the number and the headers of their parts. */
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { badRequest } from '../../errors.ts';
import type { RequestHead } from '../request-head.ts';

/** Each part is emitted as a file, so that texts are streams too. Throws BAD_REQUEST when the boundary is missing. */
export function createMultipartParser(request: RequestHead): BusboyInstance {
  const contentType = request.headers['content-type'] ?? '';
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      isPartAFile: () => true,
      limits: {
        files: 3,
        parts: 4,
        headerPairs: 20,
        headerSize: 16_384,
      },
    });
  } catch {
    throw badRequest('The content type of a multipart request must have a boundary.');
  }
}
