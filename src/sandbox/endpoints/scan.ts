import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import { cardOf } from '../cards.ts';
import type { Endpoint, SandboxParts } from '../endpoint.ts';
import { HttpError, json, mediaType } from '../http.ts';
import { scanResult } from '../scan-result.ts';

/**
 * `POST /v1/documents/scan/nric`. The file's bytes select the card. A file name that contains `blank` finds nothing, one
 * that contains `corrupt` is 422, one that ends in `.exe` is 415.
 */
export function scan({ documents }: SandboxParts): Endpoint {
  return {
    method: 'POST',
    path: /^\/v1\/documents\/scan\/nric$/,
    requiredCredentials: ['apiKey'],
    inputs: {
      'scan: file name': {
        'contains `blank`': 'no field is found',
        'contains `corrupt`': '422, `InvalidInput`',
        'ends in `.exe`': '415, [`UNSUPPORTED_FILE`](reference/errors.md#unsupported_file)',
        'any other':
          'a card, always the same for the same bytes; 400, `InvalidInput`, for a file without bytes',
      },
    },
    async handle({ request, tenant, note }) {
      const { file, qid, handwritten } = await readForm(request);
      note({ file, qid, handwritten });
      if (!/^(true|false|\[true\]|\[false\])$/.test(handwritten)) {
        throw new HttpError(400, 'The part handwritten must be true, false, [true] or [false].');
      }
      if (file.bytes === 0) throw new HttpError(400, 'The file is empty.');
      const name = file.name.toLowerCase();
      if (name.endsWith('.exe')) throw new HttpError(415, 'Files of this type are not supported.');
      if (name.includes('corrupt')) throw new HttpError(422, 'The file cannot be read as a document.');
      const card = name.includes('blank') ? null : cardOf(file.sha256);
      const docId = documents.add({ kind: 'scan', tenant, queueId: qid, fileName: file.name, card });
      return json(200, { scanDocuments: { data: scanResult(card), docId, status: 'COMPLETED' } });
    },
  };
}

interface UploadedFile {
  readonly name: string;
  readonly contentType: string;
  readonly bytes: number;
  readonly sha256: string;
}

interface ScanForm {
  readonly file: UploadedFile;
  readonly qid: string;
  readonly handwritten: string;
}

/** Reads the three required parts, each exactly once, and ignores others. Counts and hashes the file without holding it. */
async function readForm(request: IncomingMessage): Promise<ScanForm> {
  const given = new Map<string, string | UploadedFile>();
  const errors: string[] = [];
  const take = (part: string, value: string | UploadedFile) => {
    if (given.has(part)) errors.push(`The part ${part} is given more than once.`);
    given.set(part, value);
  };

  const parser = createParser(request);
  parser.on('field', (part, value) => take(part, value));
  parser.on('file', (part, stream, name, _encoding, contentType) => {
    const hash = createHash('sha256');
    let bytes = 0;
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      hash.update(chunk);
    });
    // The parser reports a truncated part itself.
    stream.on('error', () => stream.resume());
    stream.on('end', () =>
      take(part, { name: unescaped(name ?? ''), contentType, bytes, sha256: hash.digest('hex') }),
    );
  });
  parser.on('partsLimit', () => errors.push('The form has too many parts.'));
  await finished(request, parser);

  const [file, qid, handwritten] = [given.get('files'), given.get('qid'), given.get('handwritten')];
  if (typeof file !== 'object') errors.push('The part files is missing or not a file.');
  if (typeof qid !== 'string' || qid === '') errors.push('The part qid is missing or empty.');
  if (typeof handwritten !== 'string') errors.push('The part handwritten is missing.');
  const [error] = errors;
  if (error !== undefined) throw new HttpError(400, error);
  return { file, qid, handwritten } as ScanForm;
}

/** Reverses the escaping of names in form data (HTML, "multipart/form-data encoding algorithm"). */
function unescaped(name: string): string {
  return name.replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n');
}

function createParser(request: IncomingMessage): BusboyInstance {
  if (mediaType(request) !== 'multipart/form-data') {
    throw new HttpError(415, 'The content type must be multipart/form-data.');
  }
  try {
    return new Busboy({ headers: request.headers as BusboyHeaders, limits: { parts: 20 } });
  } catch {
    throw new HttpError(400, 'The content type has no boundary.');
  }
}

function finished(request: IncomingMessage, parser: BusboyInstance): Promise<void> {
  return new Promise((resolve, reject) => {
    parser.once('finish', resolve);
    parser.on('error', () => {
      // Discard the rest of the body, so that the error response fits on the same connection.
      request.unpipe(parser);
      request.resume();
      reject(new HttpError(400, 'The multipart body is malformed.'));
    });
    request.once('error', reject);
    request.pipe(parser);
  });
}
