/** Every code with which a WebSocket is closed. docs/reference/errors.md is generated from these tables. */
import { messageBounds } from './message.ts';

/** `reason`: what the gateway writes into the close frame. `advice`: what the client does. */
type Closure = readonly [code: number, reason: string, when: string, advice: string];

/** The gateway's own. */
// biome-ignore format: a table
const closures = {
  idle: [1000, 'No operation for a minute', 'It had no operation for a minute.', 'Connect again with the next operation.'],
  leaving: [1001, 'Going away', 'The gateway stops.', 'Connect again: the current state comes first.'],
  invalidText: [1007, 'Invalid UTF-8', 'A message is not UTF-8.', 'Fix the client.'],
  full: [1013, 'Too many sockets', 'Too many sockets are open.', 'Connect again with a delay.'],
  malformed: [4400, 'Bad request', 'A message or the credentials are malformed; the reason says what.', 'Fix them; do not connect again.'],
  refused: [4403, 'Credentials refused', 'Its last subscription ended because the service refused the credentials.', 'Renew the token once, connect and subscribe again.'],
  silent: [4408, 'Connection initialisation timeout', '`connection_init` did not arrive within 3 seconds.', 'Send it first.'],
  faulty: [4500, 'Internal server error', 'A bug of the gateway.', 'Connect again with a growing delay, and report it.'],
} as const satisfies Record<string, Closure>;

const { maxPayload, maxFragments, maxBufferedChunks } = messageBounds;
const tooManyParts = `A message has more than ${maxFragments} frames or ${maxBufferedChunks} chunks.`;
const connectionLost =
  'No close frame was sent: the network failed, the client did not read its messages or respond to a ping, or memory was short. A browser also reports an upgrade that was refused in this way.';
const afterLostConnection =
  'Connect again with a growing delay. If no connection ever opens, see the console of the browser: with the status 403 the origin of the page is missing in `CORS_ORIGINS`; without a response for `Sec-WebSocket-Protocol` the client asks for another subprotocol than `graphql-transport-ws`.';
const otherProtocol =
  'The client does not ask for the subprotocol `graphql-transport-ws`. A browser that asks for another one reports 1006.';

/** Those of ws, of graphql-ws, and of proxies. */
// biome-ignore format: a table
const closuresOfLibraries: readonly (readonly [code: number, when: string, advice: string])[] = [
  [1002, 'A frame breaks RFC 6455.', 'Fix the client.'],
  [1006, connectionLost, afterLostConnection],
  [1008, tooManyParts, 'Fix the client.'],
  [1009, `A message has more than ${maxPayload / 1_024} KiB.`, 'Send a shorter one.'],
  [1011, 'A proxy in front of the gateway failed; the gateway itself does not send it.', 'Connect again with a growing delay.'],
  [4401, '`subscribe` came before `connection_ack`.', 'Fix the client.'],
  [4406, otherProtocol, 'Fix the client.'],
  [4409, 'An operation with the same id is in progress.', 'Use another id.'],
  [4429, '`connection_init` was sent twice.', 'Fix the client.'],
];

/** All codes, in their order: code, when, advice. */
export const closeCodes = [
  ...Object.values(closures).map(([code, _reason, when, advice]) => [code, when, advice] as const),
  ...closuresOfLibraries,
].sort(([one], [other]) => one - other);

/** Closes a socket. `reason`: in place of the one in the table. */
export function closeSocket(
  socket: { close(code: number, reason: string): void },
  name: keyof typeof closures,
  reason: string = closures[name][1],
): void {
  socket.close(closures[name][0], reason);
}
