/** Handles connections whose bytes Node's HTTP parser rejects. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { endWithStatus } from './status-line.ts';

/** The status line by the parser's error code; any other is 400. */
const statusOfParseError: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/**
 * Handles `clientError` of one server. `newestOf`: the response to the newest request of a connection; undefined when all
 * have been sent. A status line is written only to a connection without a response in progress:
 * it would replace that response, or become part of its body.
 */
export function createParseErrorHandler(newestOf: (socket: Duplex) => ServerResponse | undefined) {
  const closing = new WeakSet<Duplex>();

  return ({ code = '' }: NodeJS.ErrnoException, socket: Duplex): void => {
    // Every further chunk of this connection is another error.
    if (closing.has(socket)) return;
    closing.add(socket);
    const status = statusOfParseError[code] ?? '400 Bad Request';
    const response = newestOf(socket);
    const request = response?.req;
    if (!socket.writable) {
      socket.destroy();
    } else if (!request || !response || response.writableFinished) {
      endWithStatus(socket, status);
    } else if (request.complete) {
      // The bytes after a complete request are invalid. The response to that request is sent first.
      if (!response.headersSent) response.setHeader('connection', 'close');
      response.once('close', () => socket.destroy());
    } else if (response.headersSent || response.socket === null) {
      // Its response has begun, or waits for the response to an earlier request.
      socket.destroy();
    } else {
      // The caller ended its side in the middle of the body, or its bytes are invalid there. The reader of the body responds
      // with a GraphQL error: the operation of a multipart request may have begun, and may have been carried out.
      response.setHeader('connection', 'close');
      response.once('close', () => socket.destroy());
      reportCut(request);
    }
  };
}

/** A request that waits for its turn has no reader yet. */
function reportCut(request: IncomingMessage): void {
  const report = () => request.emit('cut');
  if (request.listenerCount('cut') > 0) report();
  else request.on('newListener', (event) => event === 'cut' && queueMicrotask(report));
}
