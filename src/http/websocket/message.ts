/** Messages of WebSocket clients, parsed and reduced to the members that the gateway uses. */
import { badRequest } from '../../errors.ts';
import { isObject } from '../../is-object.ts';
import { operationRequestOf } from '../../operation/request.ts';
import { checkJsonStructure } from '../json-structure.ts';

/** Longest `connection_init` message, in characters: 16 KiB, as for the headers of an HTTP request. */
const maxConnectionInitLength = 16 * 1024;
/** Longest id of an operation, in characters. */
const maxIdLength = 128;

/**
 * graphql-ws keeps a message as long as the operation or the socket lasts. So it gets a new object with the known
 * members only, which can be emptied. Returns text that is not a JSON object as it is: graphql-ws refuses it. Throws BAD_REQUEST past a bound.
 */
export function messageIn(bytes: Buffer): unknown {
  checkJsonStructure(bytes, 'The message');
  const text = bytes.toString();
  const message = parsed(text);
  if (!isObject(message)) return text;
  const { type, id, payload } = message;
  if (typeof id === 'string' && id.length > maxIdLength) {
    throw badRequest(`The id is longer than ${maxIdLength} characters.`);
  }
  if (type === 'subscribe') {
    return { type, id, payload: isObject(payload) ? operationRequestOf(payload) : payload };
  }
  if (type === 'connection_init') {
    if (text.length > maxConnectionInitLength) {
      throw badRequest(`connection_init is longer than ${maxConnectionInitLength} characters.`);
    }
    return { type, payload };
  }
  return { type, id };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
