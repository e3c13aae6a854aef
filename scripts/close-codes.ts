/** Every code with which a WebSocket is closed: when, and what the client does. docs/reference/errors.md is generated from this. */
import { closures } from '../src/http/websocket/close-codes.ts';
import { messageBounds } from '../src/http/websocket/message.ts';

type Description = readonly [when: string, advice: string];

/** The gateway's own. */
// biome-ignore format: a table
const descriptions: Readonly<Record<keyof typeof closures, Description>> = {
  idle: ['It had no operation for a minute.', 'Connect again with the next operation.'],
  leaving: ['The gateway stops.', 'Connect again: the current state comes first.'],
  invalidText: ['A message is not UTF-8.', 'Fix the client.'],
  full: ['Too many sockets are open.', 'Connect again with a delay.'],
  malformed: ['A message or the credentials are malformed; the reason says what.', 'Fix them; do not connect again.'],
  refused: ['Its last subscription ended because the service refused the credentials.', 'Renew the token once, connect and subscribe again.'],
  silent: ['`connection_init` did not arrive within 3 seconds.', 'Send it first.'],
  faulty: ['A bug of the gateway.', 'Connect again with a growing delay, and report it.'],
};

const { maxPayload, maxFragments, maxBufferedChunks } = messageBounds;

/** Those of ws, of graphql-ws, and of proxies. */
// biome-ignore format: a table
const ofLibraries: Readonly<Record<number, Description>> = {
  1002: ['A frame breaks RFC 6455.', 'Fix the client.'],
  1006: [
    'No close frame was sent: the network failed, the client did not read its messages or respond to a ping, or memory was short. A browser also reports an upgrade that was refused in this way.',
    'Connect again with a growing delay. If no connection ever opens, see the console of the browser: with the status 403 the origin of the page is missing in `CORS_ORIGINS`; without a response for `Sec-WebSocket-Protocol` the client asks for another subprotocol than `graphql-transport-ws`.',
  ],
  1008: [`A message has more than ${maxFragments} frames or ${maxBufferedChunks} chunks.`, 'Fix the client.'],
  1009: [`A message has more than ${maxPayload / 1_024} KiB.`, 'Send a shorter one.'],
  1011: ['A proxy in front of the gateway failed; the gateway itself does not send it.', 'Connect again with a growing delay.'],
  4401: ['`subscribe` came before `connection_ack`.', 'Fix the client.'],
  4406: ['The client does not ask for the subprotocol `graphql-transport-ws`. A browser that asks for another one reports 1006.', 'Fix the client.'],
  4409: ['An operation with the same id is in progress.', 'Use another id.'],
  4429: ['`connection_init` was sent twice.', 'Fix the client.'],
};

/** All codes, in their order. */
export const closeCodes: readonly (readonly [code: number, ...Description])[] = [
  ...Object.entries(ofLibraries).map(([code, row]) => [Number(code), ...row] as const),
  ...Object.entries(closures).map(
    ([name, [code]]) => [code, ...descriptions[name as keyof typeof closures]] as const,
  ),
].sort(([one], [other]) => one - other);
