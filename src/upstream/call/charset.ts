/** The character encoding of a response of the service. */
import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { ownTurn, ownTurnBytes } from '../../tools/event-loop-turns.ts';

/** The charset of the content type; undefined when it is absent or UTF-8. */
export function declaredCharset(headers: IncomingHttpHeaders): string | undefined {
  return /;\s*charset="?(?!utf-?8\b)([\w:-]+)/i.exec(headers['content-type'] ?? '')?.[1];
}

/** The chunks of the body in UTF-8; undefined when it is used as it is: its charset is UTF-8, or unknown. */
export function inUtf8(body: Buffer, headers: IncomingHttpHeaders): AsyncIterable<Buffer> | undefined {
  const decoder = decoderOf(declaredCharset(headers));
  // Servers declare ISO-8859-1 by default, whatever they send. Other text in it is hardly ever valid UTF-8.
  if (!decoder || (decoder.encoding === 'windows-1252' && isUtf8(body))) return undefined;
  return converted(body, decoder);
}

function decoderOf(charset: string | undefined): TextDecoder | undefined {
  try {
    return charset === undefined ? undefined : new TextDecoder(charset);
  } catch {
    return undefined;
  }
}

/** What is converted in one turn of the event loop (bytes): 1 MiB, which takes up to 25 ms. */
const convertedBytes = 1_024 * 1_024;

async function* converted(body: Buffer, decoder: TextDecoder): AsyncGenerator<Buffer, void, void> {
  for (let at = 0; at < body.length; at += convertedBytes) {
    if (body.length > ownTurnBytes) await ownTurn({ isNextStep: at > 0 });
    yield Buffer.from(decoder.decode(body.subarray(at, at + convertedBytes), { stream: true }));
  }
  yield Buffer.from(decoder.decode());
}
