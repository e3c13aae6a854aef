import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import { cardOf } from './cards.ts';
import type { Endpoint } from './endpoint.ts';
import { CallerGone, json, mediaType, Refusal } from './http.ts';
import { scanResult } from './scan-result.ts';
import type { Documents } from './store.ts';

/**
 * `POST /v1/documents/scan/nric`. The card is chosen by the file's content; a file name holding `blank` finds
 * nothing, one holding `corrupt` cannot be read, one ending `.exe` is no document.
 */
export function scanEndpoint(documents: Documents): Endpoint {
  return {
    name: 'scan',
    method: 'POST',
    path: /^\/v1\/documents\/scan\/nric$/,
    demands: ['x-api-key'],
    async answer({ request, tenant, note }) {
      const { file, qid, handwritten } = await readForm(request);
      note({ file, qid, handwritten });
      if (!/^(true|false|\[true\]|\[false\])$/.test(handwritten)) {
        throw new Refusal(400, 'The part handwritten must be true, false, [true] or [false].');
      }
      if (file.bytes === 0) throw new Refusal(400, 'The file is empty.');
      const name = file.name.toLowerCase();
      if (name.endsWith('.exe')) throw new Refusal(415, 'Files of this kind are not supported.');
      if (name.includes('corrupt')) throw new Refusal(422, 'The file cannot be read as a document.');
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

const limits = { parts: 20, files: 5, fieldSize: 4096, headerSize: 16 * 1024 };

/** The three parts, each exactly once; others are ignored. The file is counted and hashed, never held. */
async function readForm(request: IncomingMessage): Promise<ScanForm> {
  const given = new Map<string, string | UploadedFile>();
  const complaints: string[] = [];
  const take = (part: string, value: string | UploadedFile) => {
    if (given.has(part)) complaints.push(`The part ${part} is given more than once.`);
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
    // A part that ends early fails the form as a whole, through the parser's own error.
    stream.on('error', () => stream.resume());
    stream.on('end', () =>
      take(part, { name: unescaped(name ?? ''), contentType, bytes, sha256: hash.digest('hex') }),
    );
  });
  parser.on('partsLimit', () => complaints.push('The form has too many parts.'));
  parser.on('filesLimit', () => complaints.push('The form has too many files.'));
  await finished(request, parser);

  const [file, qid, handwritten] = [given.get('files'), given.get('qid'), given.get('handwritten')];
  if (typeof file !== 'object') complaints.push('The part files is missing or no file.');
  if (typeof qid !== 'string' || qid === '') complaints.push('The part qid is missing or empty.');
  if (typeof handwritten !== 'string') complaints.push('The part handwritten is missing.');
  const [complaint] = complaints;
  if (complaint !== undefined) throw new Refusal(400, complaint);
  return { file, qid, handwritten } as ScanForm;
}

/** Form data escapes these three in a name (HTML, "multipart/form-data encoding algorithm"). */
function unescaped(name: string): string {
  return name.replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n');
}

function createParser(request: IncomingMessage): BusboyInstance {
  if (mediaType(request) !== 'multipart/form-data') {
    throw new Refusal(415, 'The content type must be multipart/form-data.');
  }
  try {
    return new Busboy({ headers: request.headers as BusboyHeaders, limits });
  } catch {
    throw new Refusal(400, 'The content type names no boundary.');
  }
}

function finished(request: IncomingMessage, parser: BusboyInstance): Promise<void> {
  return new Promise((resolve, reject) => {
    parser.once('finish', resolve);
    parser.on('error', () => {
      // What is still to come flows by unread, so that the refusal can be told over the same connection.
      request.unpipe(parser);
      request.resume();
      reject(new Refusal(400, 'The multipart body is malformed.'));
    });
    request.once('error', (cause) => reject(new CallerGone('The upload broke off.', { cause })));
    // A complete request closes too, perhaps before the parser is through with it.
    request.once('close', () => {
      if (!request.complete) reject(new CallerGone('The upload broke off.'));
    });
    request.pipe(parser);
  });
}
