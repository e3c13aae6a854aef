/** Messages of WebSocket clients, parsed and reduced to the members that the gateway uses. */
import { badRequest } from '../../errors.ts';
import { operationRequestOf } from '../../operation/request.ts';
import { isObject } from '../../tools/is-object.ts';
import { objectFromJson } from '../caller-json.ts';

/** Longest `connection_init` message (bytes): 16 KiB, as for the headers of an HTTP request. */
const maxConnectionInitBytes = 16 * 1024;
/** Longest id of an operation, in characters. */
const maxIdLength = 128;
/** Messages that only servers send. */
const serverTypes: readonly unknown[] = ['connection_ack', 'next', 'error'];

/**
 * graphql-ws keeps a message as long as the operation or the socket lasts. So it gets a new object with the known
 * members only, which can be emptied. Throws a GatewayError for a message that is not a JSON object, and past a bound.
 */
export function messageIn(bytes: Buffer): Readonly<Record<string, unknown>> {
  const { type, id, payload } = objectFromJson(bytes, 'The message');
  if (serverTypes.includes(type)) throw badRequest(`A client must not send messages of type ${type}.`);
  if (typeof id === 'string' && id.length > maxIdLength) {
    throw badRequest(`The id is longer than ${maxIdLength} characters.`);
  }
  if (type === 'subscribe') {
    return { type, id, payload: isObject(payload) ? operationRequestOf(payload) : payload };
  }
  if (type !== 'connection_init') return { type, id };
  if (bytes.length > maxConnectionInitBytes) {
    throw badRequest(`connection_init is longer than ${maxConnectionInitBytes} bytes.`);
  }
  return { type, payload };
}
