/** Messages of WebSocket clients, parsed and reduced to the members that the gateway uses. */
import { badRequest } from '../../errors.ts';
import { checkTypes, operationRequestOf } from '../../operation/operation-request.ts';
import { isObject } from '../../tools/is-object.ts';
import { objectFromJson } from '../caller-json.ts';

/** Bounds of one message, as options of ws. */
export const messageBounds = {
  /** Bytes: 128 KiB. */
  maxPayload: 128 * 1_024,
  /** Frames: ws holds a Buffer for each until the last one arrives. */
  maxFragments: 128,
  /** Chunks of an incomplete message: one of 128 KiB has 245 of the smallest usual size, 536 bytes. */
  maxBufferedChunks: 512,
};
/** Longest `connection_init` message (bytes): 16 KiB, as for the headers of an HTTP request. */
const maxConnectionInitBytes = 16 * 1024;
/** Longest id of an operation, in characters. */
const maxIdLength = 128;

/** A message of a client (graphql-transport-ws). `subscribe` and `complete` have an id. */
interface ClientMessage {
  readonly type: string;
  readonly id?: string;
  readonly payload?: Readonly<Record<string, unknown>> | null | undefined;
}

/** The types that clients send, and whether a message of each names an operation. */
const hasId: Readonly<Record<string, boolean>> = {
  connection_init: false,
  ping: false,
  pong: false,
  subscribe: true,
  complete: true,
};

/**
 * graphql-ws keeps a message as long as the operation or the socket lasts. So it gets a new object with the known
 * members only, which can be emptied. Throws a GatewayError for a message that is not a JSON object, for a member of
 * another JSON type than the protocol has, and past a bound.
 */
export function messageIn(bytes: Buffer): ClientMessage {
  const { type, id, payload } = objectFromJson(bytes, 'The message');
  if (typeof type !== 'string' || !Object.hasOwn(hasId, type)) {
    throw badRequest('"type" must be connection_init, ping, pong, subscribe or complete.');
  }
  if (hasId[type] && (typeof id !== 'string' || id === '' || id.length > maxIdLength)) {
    throw badRequest(`"id" must be a string of 1 to ${maxIdLength} characters.`);
  }
  if (type === 'complete') return { type, id: id as string };
  if (type === 'subscribe') {
    if (!isObject(payload)) throw badRequest('"payload" must be an object.');
    checkTypes(payload);
    if (typeof payload['query'] !== 'string')
      throw badRequest('"query" must be a string, empty with a hash.');
    return { type, id: id as string, payload: { ...operationRequestOf(payload) } };
  }
  if (payload !== undefined && payload !== null && !isObject(payload)) {
    throw badRequest('"payload" must be an object.');
  }
  if (type !== 'connection_init') return { type };
  if (bytes.length > maxConnectionInitBytes) {
    throw badRequest(`connection_init is longer than ${maxConnectionInitBytes} bytes.`);
  }
  return { type, payload };
}
