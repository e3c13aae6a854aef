/** HTTP pipelining: requests that arrive on a connection before the response to an earlier one is sent. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Holder } from '../../caller.ts';
import type { Holding, ReclaimingBudget } from '../../shares/reclaiming-budget.ts';
import { inSharedTurn } from '../../tools/event-loop-turns.ts';
import { type RequestHead, requestBytes } from '../request-head.ts';
import { closeUnparsed } from './close-unparsed.ts';
import type { IdleConnections } from './idle-connections.ts';

/** Most requests that wait on one connection, and most while new ones wait to be read: parsing 100 for each delays these. */
const maxWaiting = 100;
const maxWaitingWhileLate = 8;
/** Most requests of all connections that begin to wait in one turn of the event loop. Parsing one takes about 20 µs. */
const maxWaitingOfTurn = 1_000;
/** Most bytes that Node buffers of a body that is not read (bytes): 64 KiB. */
const maxBufferedBytes = 64 * 1024;

/** Memory of a request whose body is not read yet (bytes). */
export function bufferedBytes(request: RequestHead): number {
  return requestBytes(request) + Math.min(bodyBytes(request), maxBufferedBytes);
}

/** Infinity for a body of unknown length. */
export function bodyBytes({ method, headers }: RequestHead): number {
  const { 'content-length': declared, 'transfer-encoding': coding } = headers;
  // A host's request can have any text there.
  if (declared !== undefined && /^\d+$/.test(declared)) return Number(declared);
  const hasNone = (method === 'GET' || method === 'HEAD') && declared === undefined && coding === undefined;
  return hasNone ? 0 : Number.POSITIVE_INFINITY;
}

interface Waiting {
  readonly bytes: number;
  readonly response: ServerResponse;
  readonly start: () => void;
}

class Connection {
  readonly waiting: Waiting[] = [];
  /** The response to the newest request; undefined when all have been sent: it would be kept as long as the connection. */
  newest: ServerResponse | undefined;
  share: Holding | undefined;
}

/**
 * Starts the requests of each connection one after the other, each in its own turn of the event loop (RFC 9112, section
 * 9.3.2) that has time for it. So a connection holds one result, and a burst of requests does not delay other
 * connections. Requests that wait count in the budget of request bodies. A connection with too many of them is closed,
 * and so is one behind whose request another begins to wait in a turn in which too many have.
 */
export function createPipelining<Response extends ServerResponse>(
  bodies: ReclaimingBudget,
  callerOf: (response: Response) => Holder | undefined,
  idle: IdleConnections,
) {
  const connections = new WeakMap<object, Connection>();
  /** Requests that have begun to wait in this turn of the event loop. */
  let waitingOfTurn = 0;

  function countInTurn(): void {
    if (waitingOfTurn === 0) setImmediate(() => (waitingOfTurn = 0));
    waitingOfTurn += 1;
  }

  function begin(connection: Connection, response: Response, start: () => void): void {
    response.on('close', () => startNext(connection, response));
    start();
  }

  /** Node itself does not close their responses when a CONNECT behind them has closed the connection. */
  function forgetWaiting({ waiting }: Connection): void {
    for (const { response } of waiting.splice(0)) response.destroy();
  }

  function startNext(connection: Connection, response: Response): void {
    const next = connection.waiting.shift();
    if (next) {
      setImmediate(inSharedTurn, next.start);
    } else {
      connection.newest = undefined;
      if (response.shouldKeepAlive) idle.wait(response.req.socket, callerOf(response));
    }
    countWaiting(connection);
  }

  function countWaiting(connection: Connection): void {
    if (connection.waiting.length > 0) {
      connection.share?.hold(connection.waiting.reduce((sum, { bytes }) => sum + bytes, 0));
    } else {
      connection.share?.close();
      connection.share = undefined;
    }
  }

  return {
    /** The response to the newest request of the connection; undefined when all have been sent. */
    newestOf: (socket: Duplex) => connections.get(socket)?.newest,

    /** Calls `start` now, or once the responses to all earlier requests of the connection are sent. */
    schedule(request: IncomingMessage, response: Response, start: () => void) {
      const { socket } = request;
      const connection = connections.getOrInsertComputed(socket, () => new Connection());
      const isBusy = connection.newest !== undefined;
      connection.newest = response;
      idle.begin(socket);
      if (!isBusy) return begin(connection, response, start);
      const { waiting } = connection;
      const most = idle.isLate() ? maxWaitingWhileLate : maxWaiting;
      if (waiting.length >= most || waitingOfTurn >= maxWaitingOfTurn) return closeUnparsed(socket);
      countInTurn();
      waiting.push({
        bytes: bufferedBytes(request),
        response,
        start() {
          if (!response.closed && !socket.destroyed) return begin(connection, response, start);
          // The connection is closed: nothing can be sent.
          response.destroy();
          forgetWaiting(connection);
          startNext(connection, response);
        },
      });
      connection.share ??= bodies.open({
        holder: callerOf(response),
        isSilent: true,
        drop() {
          forgetWaiting(connection);
          connection.share = undefined;
          closeUnparsed(socket);
        },
      });
      countWaiting(connection);
    },
  };
}
