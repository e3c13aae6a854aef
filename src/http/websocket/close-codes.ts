/** The codes with which the gateway closes WebSockets, and the reasons that it writes. scripts/close-codes.ts describes all codes. */
export const closures = {
  idle: [1000, 'No operation for a minute'],
  leaving: [1001, 'Going away'],
  invalidText: [1007, 'Invalid UTF-8'],
  full: [1013, 'Too many sockets'],
  malformed: [4400, 'Bad request'],
  refused: [4403, 'Credentials refused'],
  silent: [4408, 'Connection initialisation timeout'],
  faulty: [4500, 'Internal server error'],
} as const;

/** Closes a socket. `reason`: in place of the one in the table. */
export function closeSocket(
  socket: { close(code: number, reason: string): void },
  name: keyof typeof closures,
  reason: string = closures[name][1],
): void {
  socket.close(closures[name][0], reason);
}
