/** Every code with which a WebSocket is closed. docs/reference/errors.md is generated from these tables. */
import { messageBounds } from './message.ts';

interface CloseCode {
  readonly code: number;
  readonly when: string;
  /** What the client does. */
  readonly advice: string;
}

/** The gateway's own. `reason`: what it writes into the close frame. */
const closures = {
  idle: {
    code: 1000,
    reason: 'No operation for a minute',
    when: 'It had no operation for a minute.',
    advice: 'Connect again with the next operation.',
  },
  leaving: {
    code: 1001,
    reason: 'Going away',
    when: 'The gateway stops.',
    advice: 'Connect again: the current state comes first.',
  },
  invalidText: {
    code: 1007,
    reason: 'Invalid UTF-8',
    when: 'A message is not UTF-8.',
    advice: 'Fix the client.',
  },
  full: {
    code: 1013,
    reason: 'Too many sockets',
    when: 'Too many sockets are open.',
    advice: 'Connect again with a delay.',
  },
  malformed: {
    code: 4400,
    reason: 'Bad request',
    when: 'A message or the credentials are malformed; the reason says what.',
    advice: 'Fix them; do not connect again.',
  },
  refused: {
    code: 4403,
    reason: 'Credentials refused',
    when: 'Its last subscription ended because the service refused the credentials.',
    advice: 'Renew the token once, connect and subscribe again.',
  },
  silent: {
    code: 4408,
    reason: 'Connection initialisation timeout',
    when: '`connection_init` did not arrive within 3 seconds.',
    advice: 'Send it first.',
  },
  faulty: {
    code: 4500,
    reason: 'Internal server error',
    when: 'A bug of the gateway.',
    advice: 'Connect again with a growing delay, and report it.',
  },
} as const satisfies Record<string, CloseCode & { reason: string }>;

const { maxPayload, maxFragments, maxBufferedChunks } = messageBounds;

/** Those of ws, of graphql-ws, and of proxies. */
const closuresOfLibraries: readonly CloseCode[] = [
  { code: 1002, when: 'A frame breaks RFC 6455.', advice: 'Fix the client.' },
  {
    code: 1006,
    when: 'No close frame was sent: the network failed, the client did not read its messages or respond to a ping, or memory was short. A browser also reports an upgrade that was refused in this way.',
    advice:
      'Connect again with a growing delay. If no connection ever opens, see the console of the browser: with the status 403 the origin of the page is missing in `CORS_ORIGINS`; without a response for `Sec-WebSocket-Protocol` the client asks for another subprotocol than `graphql-transport-ws`.',
  },
  {
    code: 1008,
    when: `A message has more than ${maxFragments} frames or ${maxBufferedChunks} chunks.`,
    advice: 'Fix the client.',
  },
  {
    code: 1009,
    when: `A message has more than ${maxPayload / 1_024} KiB.`,
    advice: 'Send a shorter one.',
  },
  {
    code: 1011,
    when: 'A proxy in front of the gateway failed; the gateway itself does not send it.',
    advice: 'Connect again with a growing delay.',
  },
  { code: 4401, when: '`subscribe` came before `connection_ack`.', advice: 'Fix the client.' },
  {
    code: 4406,
    when: 'The client does not ask for the subprotocol `graphql-transport-ws`. A browser that asks for another one reports 1006.',
    advice: 'Fix the client.',
  },
  { code: 4409, when: 'An operation with the same id is in progress.', advice: 'Use another id.' },
  { code: 4429, when: '`connection_init` was sent twice.', advice: 'Fix the client.' },
];

/** All codes, in their order. */
export const closeCodes: readonly CloseCode[] = [...Object.values(closures), ...closuresOfLibraries].sort(
  (one, other) => one.code - other.code,
);

/** Closes a socket. `reason`: in place of the one in the table. */
export function closeSocket(
  socket: { close(code: number, reason: string): void },
  name: keyof typeof closures,
  reason: string = closures[name].reason,
): void {
  socket.close(closures[name].code, reason);
}
