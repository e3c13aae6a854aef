/** A multipart/form-data body (RFC 7578) as a stream: it holds a few chunks, whatever the size of the file. */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { type GatewayError, requestTimeout } from '../errors.ts';
import { Cancellation } from '../tools/cancellation.ts';
import { type StreamedBody, UnreadUploadError } from './call/call.ts';

export interface FilePart {
  /** Name of the form part. */
  readonly name: string;
  readonly filename: string;
  /** undefined: the part has none. */
  readonly contentType: string | undefined;
  /** Throws a `GatewayError` when the caller does not send the file completely. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** Longest time to wait for the caller until so many bytes of a file have arrived (ms): 1 minute, and 1 s for each 64 KiB. */
export function longestArrivalMs(bytes: number): number {
  return 60_000 + (bytes / (64 * 1024)) * 1_000;
}
const rateCheckMs = 5_000;

/** Period in which at least `minBytes` must be passed on, or the upload has stalled (ms): 30 seconds. */
const stallMs = 30_000;
/** Fewest bytes in that period: 16 KiB, about 500 per second. An upload with less only occupies a slot. */
const minBytes = 16 * 1024;

/** Builds a body of the fields and then the file. It is sent chunked, since the length of the file is not known. */
export function multipartBody(
  fields: Readonly<Record<string, string>>,
  file: FilePart,
): { readonly contentType: string; readonly body: StreamedBody } {
  const boundary = `folio-${randomUUID()}`;
  const failure = new Cancellation();
  let started = false;
  let bytesSent = 0;

  const part = (headers: string) => `--${boundary}\r\ncontent-disposition: form-data; ${headers}\r\n\r\n`;
  const texts = Object.entries(fields).map(
    ([name, value]) => `${part(`name="${escapeName(name)}"`)}${value}\r\n`,
  );
  const disposition = `name="${escapeName(file.name)}"; filename="${escapeName(file.filename)}"`;
  const type = file.contentType === undefined ? '' : `\r\ncontent-type: ${file.contentType}`;
  const head = texts.join('') + part(disposition + type);

  /** A stream that pulls each chunk itself: a generator in between would cost a promise and a turn for each chunk. */
  function open(onComplete: () => void): Readable {
    const chunks = file.content[Symbol.asyncIterator]();
    let waitingFor: 'caller' | 'service' = 'service';
    let waitingSince = 0;
    let waitedMs = 0;
    let bytesInPeriod = 0;
    /** Length of the chunk that was pushed last. The next call of `read` shows that it was passed on. */
    let pushed = 0;
    let timers: NodeJS.Timeout[] = [];

    const checkRate = () => {
      const callerMs = waitedMs + (waitingFor === 'caller' ? performance.now() - waitingSince : 0);
      if (callerMs > longestArrivalMs(bytesSent)) {
        failure.abort(abortedUpload('was slower than 64 KiB per second after its first minute'));
      }
    };
    const checkStall = () => {
      if (bytesInPeriod < minBytes)
        failure.abort(waitingFor === 'caller' ? abortedUpload('stalled') : new UnreadUploadError());
      bytesInPeriod = 0;
    };
    const pass = ({ done, value }: IteratorResult<Uint8Array>) => {
      if (stream.destroyed) return;
      waitingFor = 'service';
      waitedMs += performance.now() - waitingSince;
      if (!done) {
        pushed = value.length;
        stream.push(value);
        return;
      }
      onComplete();
      stream.push(`\r\n--${boundary}--\r\n`);
      stream.push(null);
    };

    const stream = new Readable({
      highWaterMark: 64 * 1024,
      read() {
        if (!started) {
          started = true;
          timers = [setInterval(checkRate, rateCheckMs), setInterval(checkStall, stallMs)];
          stream.push(head);
          return;
        }
        bytesInPeriod += pushed;
        bytesSent += pushed;
        waitingFor = 'caller';
        waitingSince = performance.now();
        chunks.next().then(pass, (error) => failure.abort(error));
      },
      destroy(error, callback) {
        for (const timer of timers) clearInterval(timer);
        if (started) chunks.return?.().catch(() => {});
        callback(error);
      },
    });
    return stream;
  }

  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: {
      open,
      hasStarted: () => started,
      bytesSent: () => bytesSent,
      signal: failure,
    },
  };
}

/**
 * Escapes a name as browsers do (HTML, "multipart/form-data encoding algorithm"), so that it cannot end its header, and other
 * control characters too: programs in C end a text at NUL.
 */
function escapeName(name: string): string {
  return name.replaceAll(/["\p{Cc}]/gu, (character) => encodeURIComponent(character));
}

function abortedUpload(reason: string): GatewayError {
  return requestTimeout(`The upload was aborted because it ${reason}; nothing was done.`);
}
