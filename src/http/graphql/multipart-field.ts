/** One text part of a multipart request, collected as bytes. */
import type { Readable } from 'node:stream';
import { ByteCollector } from '../../byte-collector.ts';

export interface MultipartFieldOptions {
  readonly maxBytes: number;
  /** Counts the bytes of the part until it is complete. */
  readonly hold: (bytes: number) => void;
  readonly onTooLarge: () => void;
  /** Called once with all bytes of the part. */
  readonly onBytes: (bytes: Buffer) => void;
}

export interface MultipartField {
  /** Call when the next part begins: by then the parser has written the whole part to its stream. */
  finish(): void;
}

export function readField(
  stream: Readable,
  { maxBytes, hold, onTooLarge, onBytes }: MultipartFieldOptions,
): MultipartField {
  const collector = new ByteCollector();
  let isOver = false;

  const finish = () => {
    // `read` emits the rest of the stream as `data`.
    while (!isOver && stream.read() !== null);
    if (isOver) return;
    isOver = true;
    hold(0);
    onBytes(collector.take());
  };

  stream.on('data', (chunk: Buffer) => {
    if (isOver) return;
    if (collector.length + chunk.length > maxBytes) {
      isOver = true;
      return onTooLarge();
    }
    collector.push(chunk);
    hold(collector.held);
  });
  stream.on('end', finish);
  return { finish };
}
