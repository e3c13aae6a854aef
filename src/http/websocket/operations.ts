/** Runs the operations of a WebSocket in the pipeline, from the hooks of graphql-ws. */

import type { IncomingMessage } from 'node:http';
import { type ExecutionArgs, type ExecutionResult, OperationTypeNode } from 'graphql';
import { makeServer, type SubscribePayload } from 'graphql-ws';
import { type CallerIdentity, identify, requestIdFrom } from '../../caller.ts';
import { badRequest, GatewayError, shuttingDown, tryAgainLater } from '../../errors.ts';
import { takenFrom } from '../../operation/operation-request.ts';
import { SubscriptionResults } from '../../operation/subscription-results.ts';
import { mechanisms } from '../../tools/speed-mechanisms.ts';
import type { HttpDependencies } from '../http-dependencies.ts';
import { applicationFromConnectionInit, credentialsFromConnectionInit } from '../read-caller.ts';
import { closeSocket } from './close-codes.ts';
import { type Connection, SocketOperation } from './connection.ts';
import { isRefusal, ResultSender } from './result-sender.ts';

/** A server of graphql-ws whose operations the pipeline runs. */
export function createOperations({ pipeline, laneOf, config }: HttpDependencies) {
  const { maxSubscriptionsPerSocket } = config.limits;

  /** Returns the arguments of graphql-js for an operation. Throws when it is refused. */
  function beginOperation(
    extra: Connection,
    id: string,
    payload: SubscribePayload,
    requestId: string,
  ): ExecutionArgs {
    // A socket that has closed meanwhile does not receive the error.
    if (extra.isLeaving || extra.socket.readyState !== extra.socket.OPEN) throw shuttingDown();
    if (extra.running.length >= maxSubscriptionsPerSocket) {
      const message = 'Too many operations on this WebSocket: complete some, or open another WebSocket.';
      throw tryAgainLater('subscriptions-per-socket', message);
    }
    // graphql-ws keeps the payload as long as the operation lasts.
    const prepared = pipeline.prepare(takenFrom(payload), requestId);
    const { identity, application, waitedMs } = extra;
    const caller = { ...(identity as CallerIdentity), application, requestId, waitedMs };
    const running = new SocketOperation(extra, id, prepared, caller);
    extra.operations = extra.operations.concat(running);
    // graphql-ws requires the arguments of graphql-js. The gateway's own are passed as their context.
    const { document, operation } = prepared;
    const operationName = operation.name?.value;
    return {
      schema: pipeline.schema,
      document,
      operationName,
      contextValue: running,
      rootValue: undefined,
    };
  }

  const { opened } = makeServer<Record<string, unknown>, Connection>({
    // The clock of all sockets measures it: graphql-ws would keep a timer for each.
    connectionInitWaitTimeout: 0,

    onConnect(context) {
      const { connectionParams, extra, subscriptions } = context;
      extra.handled = subscriptions;
      // graphql-ws would keep the payload as long as the socket lasts.
      Object.assign(context, { connectionParams: undefined });
      try {
        const upgrade = extra.request as IncomingMessage;
        const credentials = credentialsFromConnectionInit(connectionParams, upgrade);
        extra.application = applicationFromConnectionInit(connectionParams, upgrade);
        extra.request = undefined;
        extra.identity = identify(credentials, laneOf);
        const { apiKey = '', authorization = '' } = credentials;
        if (extra.share.identify(extra.identity, apiKey.length + authorization.length)) return true;
        closeSocket(extra, 'full');
        return false;
      } catch (error) {
        // Clients do not reconnect after its code. Returning `false` alone closes with 4403, after which they do.
        closeSocket(extra, 'malformed', error instanceof GatewayError ? error.message : undefined);
        return false;
      }
    },

    onSubscribe({ extra }, id, payload) {
      const requestId = requestIdFrom(undefined);
      try {
        return beginOperation(extra, id, payload, requestId);
      } catch (error) {
        return pipeline.refuse(error, requestId);
      }
    },

    execute(args: unknown) {
      return pipeline.execute(...runningIn(args).take());
    },

    async subscribe(args: unknown) {
      const running = runningIn(args);
      const results = await pipeline.subscribe(...running.take());
      const isSentDirectly = mechanisms.directResults && results instanceof SubscriptionResults;
      return isSentDirectly ? new ResultSender(results, running) : results;
    },

    // Called for the results of queries and mutations, and for the errors that prevent a subscription from starting.
    onNext({ extra }, _id, _payload, args, result) {
      extra.isRefused =
        runningIn(args).type === OperationTypeNode.SUBSCRIPTION && isRefusal(result as ExecutionResult);
    },

    // Called for every operation that has begun, after its last result was sent.
    onComplete({ extra }, id) {
      extra.onEnd(id);
      // Clients open another socket, with renewed credentials. graphql-ws sends `complete` first.
      if (extra.isRefused) setImmediate(() => closeIfRefused(extra));
    },
  });

  return {
    opened,
    /** Refuses an operation with the id of one that the client has left: graphql-ws would send it the result of that. */
    refuseReusedId(connection: Connection, id: string): void {
      const message = 'An operation with this id is still in progress on this WebSocket: use another id.';
      const payload = pipeline.refuse(badRequest(message), requestIdFrom(undefined));
      connection.send(JSON.stringify({ id, type: 'error', payload }));
    },
  };
}

/** Closes a socket whose last subscription ended because the service refused the credentials. */
function closeIfRefused({ socket, isRefused, operations }: Connection): void {
  if (isRefused && operations.length === 0) closeSocket(socket, 'refused');
}

function runningIn(args: unknown): SocketOperation {
  return (args as { contextValue: SocketOperation }).contextValue;
}
