/** The WebSockets of the `graphql-transport-ws` protocol, which graphql-ws implements. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { CloseCode, handleProtocols } from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';
import type { LaneMaker } from '../../caller.ts';
import type { Config } from '../../config/config.ts';
import { GatewayError } from '../../errors.ts';
import type { Pipeline } from '../../operation/pipeline.ts';
import type { AcceptedLanes } from '../../state/accepted-lanes.ts';
import type { Log } from '../../telemetry/log.ts';
import { isAllowedOrigin } from '../origin.ts';
import type { SocketShare } from '../socket-shares.ts';
import { forEachStaggered } from '../staggered.ts';
import { largeResultLength, type UnsentResults } from '../unsent-results.ts';
import { applyBackpressure, closed, closeGoingAway, endSocket, keepAlive, quietPings, send } from './flow.ts';
import { messageIn } from './message.ts';
import { type Connection, createOperations, endCompleted, hasOperationInFlight } from './operations.ts';

export interface WebSocketOptions {
  readonly config: Config;
  readonly pipeline: Pipeline;
  readonly laneOf: LaneMaker;
  readonly acceptedLanes: AcceptedLanes;
  readonly unsentResults: UnsentResults;
  readonly log: Log;
}

export interface WebSocketEndpoint {
  /** Accepts or rejects an HTTP upgrade. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, share: SocketShare): void;
  readonly openSockets: () => number;
  /**
   * Rejects new operations and closes all sockets with 1001, evenly over the time, each after its queries and
   * mutations have ended. Resolves when all are closed.
   */
  close(spreadMs: number): Promise<void>;
}

/** Largest message from a client: 128 KiB. */
const maxMessageBytes = 128 * 1024;
/** Most frames of one message: ws holds a Buffer for each until the last one arrives. */
const maxFragments = 128;

export function createWebSocketServer(options: WebSocketOptions): WebSocketEndpoint {
  const { config, pipeline, laneOf, acceptedLanes, unsentResults, log } = options;
  const connections = new Map<WebSocket, Connection>();
  let isDraining = false;
  /** Sockets that close when their queries and mutations have ended. */
  const leaving = new Set<Connection>();

  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxMessageBytes,
    maxFragments,
    perMessageDeflate: false,
    // One message of a socket in each turn of the event loop, so that a burst does not delay other connections.
    allowSynchronousEvents: false,
    handleProtocols,
  });

  const protocol = createOperations({
    pipeline,
    laneOf,
    maxSubscriptionsPerSocket: config.limits.maxSubscriptionsPerSocket,
    isDraining: () => isDraining,
    onEnd(connection) {
      connection.quietPings = 0;
      if (leaving.has(connection)) closeWhenIdle(connection);
    },
  });

  function watchUnsent({ socket, credentials }: Connection): void {
    unsentResults.add(socket, {
      unsentBytes: () => socket.bufferedAmount,
      isOver: () => socket.bufferedAmount === 0 || socket.readyState === socket.CLOSED,
      cut: () => socket.terminate(),
      isAccepted: credentials !== undefined && acceptedLanes.has(laneOf(credentials)),
    });
  }

  function closeWhenIdle(connection: Connection): void {
    if (hasOperationInFlight(connection)) leaving.add(connection);
    else closeGoingAway(connection.socket);
  }

  /** Closes a socket that had no operation for a minute, to make room. */
  function closeIfQuiet(connection: Connection): void {
    connection.quietPings = connection.operations.size > 0 ? 0 : connection.quietPings + 1;
    if (connection.quietPings >= quietPings) endSocket(connection.socket, 1000, 'No operation for a minute');
  }

  sockets.on('connection', (socket: WebSocket, request: IncomingMessage, share: SocketShare) => {
    const connection: Connection = {
      socket,
      share,
      request,
      operations: new Map(),
      credentials: undefined,
      quietPings: 0,
      isRefused: false,
    };
    connections.set(socket, connection);
    const stopKeepAlive = keepAlive(socket, () => closeIfQuiet(connection));
    const onClosed = protocol.opened(
      {
        protocol: socket.protocol,
        send(message) {
          if (message.length >= largeResultLength) watchUnsent(connection);
          return send(socket, message);
        },
        close: (code, reason) => socket.close(code, reason),
        onMessage: (handle) =>
          socket.on('message', (data, isBinary) => {
            applyBackpressure(socket);
            // ws checks text frames and closes with the same code.
            if (isBinary && !isUtf8(data as Buffer)) return socket.close(1007, 'Invalid UTF-8');
            receiveBytes(connection, handle, data as Buffer);
          }),
        // Does not echo the payload.
        onPing: () => send(socket, '{"type":"pong"}'),
      },
      connection,
    );
    // An invalid frame: ws closes the socket with the code of the protocol.
    socket.on('error', (error) => log.debug({ err: error }, 'websocket'));
    socket.on('close', (code, reason) => {
      stopKeepAlive();
      for (const running of [...connection.operations.values()]) running.end();
      connections.delete(socket);
      leaving.delete(connection);
      void onClosed(code, String(reason));
    });
  });

  /** Not async: the bytes would stay in memory as long as the operation lasts. */
  function receiveBytes(
    connection: Connection,
    handle: (data: string) => Promise<void>,
    bytes: Buffer,
  ): void {
    const { socket } = connection;
    try {
      const message = messageIn(bytes);
      endCompleted(connection, message);
      // graphql-ws also takes a message that is parsed.
      handle(message as string).catch((error: unknown) => {
        log.error({ err: error }, 'websocket message');
        socket.close(CloseCode.InternalServerError, 'Internal server error');
      });
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      socket.close(CloseCode.BadRequest, error.message);
    }
  }

  return {
    openSockets: () => sockets.clients.size,

    upgrade(request, socket, head, share) {
      if (!isAllowedOrigin(request, config.corsOrigins)) return refuseUpgrade(socket, '403 Forbidden');
      sockets.handleUpgrade(request, socket, head, (accepted) =>
        sockets.emit('connection', accepted, request, share),
      );
    },

    async close(spreadMs) {
      isDraining = true;
      const open = [...connections.values()];
      await forEachStaggered(open, spreadMs, closeWhenIdle);
      await Promise.all(open.map(({ socket }) => closed(socket)));
      sockets.close();
    },
  };
}

/** Rejects an HTTP upgrade with a status line. */
export function refuseUpgrade(socket: Duplex, status: string): void {
  socket.on('error', () => {});
  // Otherwise a client that does not close its side would keep the connection half-open.
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}
