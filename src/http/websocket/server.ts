/** The WebSockets of the `graphql-transport-ws` protocol, which graphql-ws implements. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { handleProtocols } from 'graphql-ws';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { nobody } from '../../caller.ts';
import { GatewayError } from '../../errors.ts';
import type { SocketShare } from '../../shares/sockets-and-streams.ts';
import { InProgress } from '../../tools/in-progress.ts';
import { endWithStatus } from '../connection/status-line.ts';
import { isAllowedOrigin } from '../cors.ts';
import { closeStaggered } from '../drain.ts';
import type { GraphQLEndpoint } from '../graphql/graphql-endpoint.ts';
import type { HttpDependencies } from '../http-dependencies.ts';
import { closeSocket } from './close-codes.ts';
import { Connection, tickMs } from './connection.ts';
import { createInbox } from './inbox.ts';
import { messageBounds, messageIn } from './message.ts';
import { createOperations } from './operations.ts';

export function createWebSocketServer(
  dependencies: HttpDependencies,
  { admission, bodies, unreadResults }: Pick<GraphQLEndpoint, 'admission' | 'bodies' | 'unreadResults'>,
) {
  const { config, shares, log } = dependencies;
  const connections = new Map<WebSocket, Connection>();
  const inProgress = new InProgress();
  let clock: NodeJS.Timeout | undefined;

  const sockets = new WebSocketServer({
    noServer: true,
    ...messageBounds,
    perMessageDeflate: false,
    // A peer has 2 s to complete the closing handshake. The types of ws do not have this option.
    ...{ closeTimeout: 2_000 },
    // `connections` has them.
    clientTracking: false,
    // One message of a socket in each turn of the event loop, so that a burst does not delay other connections.
    allowSynchronousEvents: false,
    handleProtocols,
  });

  const inbox = createInbox(admission, bodies, shares.scheduler, handle, guard);
  const protocol = createOperations(dependencies);

  const countUnsent = (connection: Connection) =>
    unreadResults.written(connection, () => connection.identity);

  function open(socket: WebSocket, raw: Duplex, request: IncomingMessage, share: SocketShare): void {
    const connection = new Connection(socket, request, share, countUnsent);
    connections.set(socket, connection);
    inProgress.begin();
    clock ??= setInterval(onTick, tickMs);
    connection.endProtocol = protocol.opened(connection, connection);
    socket.on('message', onMessage);
    inbox.open(connection);
    // ws reads each chunk first.
    raw.on('data', () => guard(socket, () => inbox.count(connection)));
    raw.on('close', () => guard(socket, () => inbox.dropRest(connection)));
    socket.on('pong', onPong);
    socket.on('error', onError);
    socket.on('close', onClose);
  }

  /** One clock for all sockets. They were opened at different times, so few of them are pinged in one tick. */
  function onTick(): void {
    for (const connection of connections.values()) {
      guard(connection.socket, () => connection.onTick());
    }
  }

  /** Handles an event of one socket. A fault closes that socket alone: thrown further, it would end the process. */
  function guard(socket: WebSocket, handle: () => void): void {
    try {
      handle();
    } catch (error) {
      closeFaulty(socket, error);
    }
  }

  function closeFaulty(socket: WebSocket, error: unknown): void {
    log.error({ err: error }, 'websocket event');
    closeSocket(socket, 'faulty');
  }

  // Functions of all sockets, which ws calls with the socket as `this`.

  function onPong(this: WebSocket): void {
    guard(this, () => ((connections.get(this) as Connection).isAlive = true));
  }

  /** An invalid frame: ws closes the socket with the code of the protocol. */
  function onError(error: Error): void {
    log.debug({ err: error }, 'websocket');
  }

  function onMessage(this: WebSocket, data: RawData, isBinary: boolean): void {
    guard(this, () => inbox.receive(connections.get(this) as Connection, data as Buffer, isBinary));
  }

  /** Not async: the bytes would stay in memory as long as the operation lasts. */
  function handle(connection: Connection, data: Buffer, isBinary: boolean): void {
    const { socket } = connection;
    try {
      connection.applyBackpressure();
      // ws checks text frames and closes with the same code.
      if (isBinary && !isUtf8(data)) {
        closeSocket(socket, 'invalidText');
        return;
      }
      const message = messageIn(data);
      const { type, id = '' } = message;
      // graphql-ws itself ends subscriptions only.
      if (type === 'complete') connection.leave(id);
      if (type === 'subscribe' && connection.left.includes(id)) {
        protocol.refuseReusedId(connection, id);
        return;
      }
      const onEnd = (error?: unknown) => {
        if (type === 'subscribe') connection.left = connection.left.filter((left) => left !== id);
        if (error !== undefined) closeFaulty(socket, error);
      };
      // graphql-ws also takes a message that is parsed.
      connection.handle(message as unknown as string).then(onEnd, onEnd);
    } catch (error) {
      if (error instanceof GatewayError) closeSocket(connection, 'malformed', error.message);
      else closeFaulty(socket, error);
    }
  }

  function onClose(this: WebSocket, code: number, reason: Buffer): void {
    guard(this, () => forget(connections.get(this) as Connection, code, String(reason)));
  }

  function forget(connection: Connection, code: number, reason: string): void {
    const { socket } = connection;
    connections.delete(socket);
    inbox.close(connection);
    connection.unsent?.close();
    if (connections.size === 0) {
      clearInterval(clock);
      clock = undefined;
    }
    // At its turn, its caller's other operations are before it: queries would be executed although nobody reads their results.
    for (const { id } of connection.operations) guard(socket, () => connection.leave(id));
    const end = () => {
      for (const operation of connection.operations) guard(socket, () => operation.abort());
      connection.endProtocol(code, reason).catch((error: unknown) => closeFaulty(socket, error));
      inProgress.end();
    };
    // Many sockets with thousands of subscriptions close at the same time.
    const turn =
      connection.operations.length > 0 && shares.scheduler.waitForTurn(connection.identity ?? nobody);
    if (turn) void turn.then(end);
    else end();
  }

  return {
    openSockets: () => connections.size,

    /** Accepts or rejects an HTTP upgrade. */
    upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, share: SocketShare) {
      if (!isAllowedOrigin(request, config.corsOrigins)) return endWithStatus(socket, '403 Forbidden');
      sockets.handleUpgrade(request, socket, head, (accepted) => open(accepted, socket, request, share));
    },

    /**
     * Closes all sockets with 1001, evenly over the time, each after its queries and mutations have ended: until then it
     * rejects new ones. Then closes those that were opened until `noMoreSockets` resolves. Resolves when all are closed.
     */
    async close(spreadMs: number, noMoreSockets: Promise<void>) {
      const open = () => [...connections.values()];
      await closeStaggered(open, spreadMs, (socket) => socket.closeWhenIdle(), noMoreSockets);
      await inProgress.whenIdle();
      sockets.close();
    },
  };
}
