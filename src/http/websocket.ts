/** `graphql-transport-ws` over WebSocket: graphql-ws keeps the protocol, this file its socket. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ExecutionArgs, ExecutionResult } from 'graphql';
import { CloseCode, handleProtocols, makeServer } from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Config } from '../config.ts';
import { GatewayError } from '../errors.ts';
import { OperationRefused } from '../graphql/operation-request.ts';
import type { Pipeline, PreparedOperation } from '../graphql/pipeline.ts';
import type { LaneMaker } from '../state/lane.ts';
import type { Log } from '../telemetry/log.ts';
import { type Caller, createCallerController, requestIdFrom } from '../upstream/client.ts';
import { type Credentials, credentialsFromConnectionInit } from '../upstream/credentials.ts';
import { isAllowedOrigin } from './origin.ts';
import { spread } from './spread.ts';

export interface WebSocketOptions {
  readonly config: Config;
  readonly pipeline: Pipeline;
  readonly laneOf: LaneMaker;
  readonly log: Log;
}

export interface WebSocketRim {
  /** Takes over an HTTP upgrade, or refuses it. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  readonly openSockets: () => number;
  /** Closes all sockets with 1001, evenly spread over the time, and resolves once they are gone. */
  close(spreadMs: number): Promise<void>;
}

/** One socket's state between the protocol's hooks. */
interface Connection {
  readonly socket: WebSocket;
  readonly request: IncomingMessage;
  readonly operations: Map<string, AbortController>;
  credentials: Credentials | undefined;
}

interface Running {
  readonly operation: PreparedOperation;
  readonly caller: Caller;
}

/** Largest message from a client: 128 KiB. */
const maxMessageBytes = 128 * 1024;
const initDeadlineMs = 3_000;
/** A ping this often; a peer that did not answer by the next one is gone. */
const keepAliveMs = 12_000;

export function createWebSocketRim({ config, pipeline, laneOf, log }: WebSocketOptions): WebSocketRim {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxMessageBytes,
    perMessageDeflate: false,
    handleProtocols,
  });

  const protocol = makeServer<Record<string, unknown>, Connection>({
    connectionInitWaitTimeout: initDeadlineMs,

    onConnect({ connectionParams, extra }) {
      try {
        extra.credentials = credentialsFromConnectionInit(connectionParams, extra.request);
        return true;
      } catch (error) {
        // 4400 is final for clients; a refusal by `false` (4403) they would try again.
        extra.socket.close(
          CloseCode.BadRequest,
          error instanceof GatewayError ? error.message : 'Bad request',
        );
        return false;
      }
    },

    onSubscribe({ extra }, id, payload) {
      const requestId = requestIdFrom(undefined);
      try {
        if (extra.operations.size >= config.limits.maxSubscriptionsPerSocket) throw tooManyOperations();
        const operation = pipeline.prepare(payload, requestId);
        const credentials = extra.credentials as Credentials;
        const controller = createCallerController();
        extra.operations.set(id, controller);
        const caller: Caller = {
          credentials,
          lane: laneOf(credentials),
          requestId,
          signal: controller.signal,
        };
        return argumentsFor(pipeline, { operation, caller });
      } catch (error) {
        if (error instanceof OperationRefused) return error.errors;
        return [pipeline.mask(error, requestId)];
      }
    },

    execute: async (args: unknown) => {
      const { operation, caller } = runningIn(args);
      return await pipeline.execute(operation, caller);
    },
    subscribe: async (args: unknown) => {
      const { operation, caller } = runningIn(args);
      return await pipeline.subscribe(operation, caller);
    },

    onOperation({ extra }, id, _payload, _args, result) {
      return isGenerator(result) ? endingOnReturn(result, () => endOperation(extra, id)) : undefined;
    },

    onComplete({ extra }, id) {
      endOperation(extra, id);
    },
  });

  sockets.on('connection', (socket: WebSocket, request: IncomingMessage) => {
    const connection: Connection = { socket, request, operations: new Map(), credentials: undefined };
    const stopKeepAlive = keepAlive(socket);
    const closed = protocol.opened(
      {
        protocol: socket.protocol,
        send: (message) => sendTo(socket, message),
        close: (code, reason) => socket.close(code, reason),
        onMessage: (handle) => socket.on('message', (data) => void receive(handle, String(data), connection)),
      },
      connection,
    );
    // A frame that breaks the protocol: ws closes the socket with the code for it.
    socket.on('error', (error) => log.debug({ err: error }, 'websocket'));
    socket.on('close', (code, reason) => {
      stopKeepAlive();
      for (const controller of connection.operations.values()) controller.abort();
      connection.operations.clear();
      void closed(code, String(reason));
    });
  });

  async function receive(handle: (data: string) => Promise<void>, data: string, { socket }: Connection) {
    try {
      await handle(data);
    } catch (error) {
      log.error({ err: error }, 'websocket message');
      socket.close(CloseCode.InternalServerError, 'Internal server error');
    }
  }

  return {
    openSockets: () => sockets.clients.size,

    upgrade(request, socket, head) {
      if (!isAllowedOrigin(request, config.corsOrigins)) return refuseUpgrade(socket, '403 Forbidden');
      sockets.handleUpgrade(request, socket, head, (accepted) =>
        sockets.emit('connection', accepted, request),
      );
    },

    async close(spreadMs) {
      const clients = [...sockets.clients];
      await spread(clients, spreadMs, (client) => {
        client.close(1001, 'Going away');
        // A peer that does not answer the closing handshake is cut.
        setTimeout(() => client.terminate(), 2_000).unref();
      });
      await Promise.all(clients.map(gone));
      sockets.close();
    },
  };
}

/** Refuses an HTTP upgrade with a status line. */
export function refuseUpgrade(socket: Duplex, status: string): void {
  socket.on('error', () => {});
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}

function gone(socket: WebSocket): Promise<void> {
  if (socket.readyState === socket.CLOSED) return Promise.resolve();
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

/** Resolves when the message left for the network: a slow reader slows its own events and nobody else's. */
function sendTo(socket: WebSocket, message: string): Promise<void> {
  return new Promise((resolve) => {
    if (socket.readyState !== socket.OPEN) return resolve();
    socket.send(message, () => resolve());
  });
}

function keepAlive(socket: WebSocket): () => void {
  let isAlive = true;
  socket.on('pong', () => {
    isAlive = true;
  });
  const timer = setInterval(() => {
    if (!isAlive) return socket.terminate();
    isAlive = false;
    socket.ping();
  }, keepAliveMs);
  return () => clearInterval(timer);
}

/** graphql-ws wants graphql's arguments; ours travel as their context. */
function argumentsFor({ schema }: Pipeline, running: Running): ExecutionArgs {
  const { document, operation } = running.operation;
  return {
    schema,
    document,
    operationName: operation.name?.value,
    contextValue: running,
    rootValue: undefined,
  };
}

function runningIn(args: unknown): Running {
  return (args as { contextValue: Running }).contextValue;
}

function endOperation({ operations }: Connection, id: string): void {
  operations.get(id)?.abort();
  operations.delete(id);
}

type Events = AsyncGenerator<ExecutionResult, void, void>;

function isGenerator(result: unknown): result is Events {
  return (
    typeof result === 'object' && result !== null && Symbol.asyncIterator in result && 'return' in result
  );
}

/** graphql-ws awaits `return`, and tells of the end only afterwards: whatever waits must be freed first. */
function endingOnReturn(events: Events, end: () => void): Events {
  const stop = async (): Promise<IteratorResult<ExecutionResult, void>> => {
    end();
    await events.return();
    return { done: true, value: undefined };
  };
  return {
    next: () => events.next(),
    return: stop,
    throw: stop,
    [Symbol.asyncIterator]() {
      return this;
    },
    async [Symbol.asyncDispose]() {
      await stop();
    },
  };
}

function tooManyOperations(): GatewayError {
  return new GatewayError({
    code: 'RATE_LIMITED',
    message: 'Too many operations on this WebSocket: end some, or open another.',
    retryable: true,
  });
}
