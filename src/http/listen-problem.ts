/** Why a port of the configuration cannot be listened on, for operators. */

const otherPort = 'set PORT (or METRICS_PORT) to another port; 0 takes any free port.';
const otherHost = 'Set HOST to an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all of them.';

const advice: Readonly<Record<string, string>> = {
  EADDRINUSE: `End the program that listens there, or ${otherPort}`,
  EACCES: `This user may not listen there: ${otherPort}`,
  EADDRNOTAVAIL: otherHost,
  ENOTFOUND: otherHost,
  EAI_AGAIN: otherHost,
};

/** The reason with its address, and what to change. Undefined for an error of anything else. `host`: HOST. */
export function listenProblem(error: unknown, host: string): string | undefined {
  const { code = '', syscall, hostname, message } = error as NodeJS.ErrnoException & { hostname?: string };
  const isOfPort = syscall === 'listen' || (syscall === 'getaddrinfo' && hostname === host);
  const toDo = isOfPort ? advice[code] : undefined;
  return toDo && `${message}. ${toDo}`;
}
