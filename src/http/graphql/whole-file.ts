/** The content of a multipart request's file. */
import type { Readable } from 'node:stream';
import type { Metrics } from '../../telemetry/metrics.ts';

/**
 * The bytes of the file. The iterator ends only when the whole request has been read and is valid. Throws the error of
 * the request: always a GatewayError without side effect.
 */
export async function* wholeFile(
  stream: Readable,
  whole: Promise<void>,
  { uploadBytes }: Metrics,
  maxBytes: number,
  onTooLarge: () => void,
): AsyncGenerator<Uint8Array, void, void> {
  let bytes = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > maxBytes) {
        onTooLarge();
        await whole;
      }
      uploadBytes.inc(chunk.length);
      yield chunk;
    }
  } catch (error) {
    await whole;
    throw error;
  }
  await whole;
}
