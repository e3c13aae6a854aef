/** Closes connections in the middle of what was read from them. */
import type { Socket } from 'node:net';

/** Members of Node's HTTP server, whose types do not have them. The tests of large chunks notice a change. */
interface ParsedSocket extends Socket {
  readonly parser?: (Record<string, unknown> & { onIncoming(request: { upgrade: boolean }): number }) | null;
}

/** Result of `onIncoming` after which the parser reads no other request, as after an upgrade. */
const stopParsing = 2;

/**
 * Closes a connection, and parses nothing more of what was read from it. Node cannot pause its parser within 64 KiB, which
 * have up to 2,500 requests or 10,000 chunks of a body: their callbacks take most of the time.
 */
export function closeUnparsed(socket: ParsedSocket): void {
  const { parser } = socket;
  if (parser) {
    parser.onIncoming = (request) => {
      // For a CONNECT or an upgrade, Node would stop listening to the socket, and never close the responses that wait.
      request.upgrade = false;
      return stopParsing;
    };
    for (const [name, callback] of Object.entries(parser)) {
      if (typeof callback !== 'function' || callback.name !== 'parserOnBody') continue;
      parser[name] = null;
      // The parser serves another connection later.
      socket.once('close', () => (parser[name] = callback));
    }
  }
  socket.destroy();
}
