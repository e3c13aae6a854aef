/** Codes that scripts report in the middle of a message, and permissions, which they report in words. */
const codeInside = /\b(OOM|READONLY|NOREPLICAS|NOPERM|NOAUTH|WRONGPASS|MISCONF|CLUSTERDOWN|WRONGTYPE)\b/;

/**
 * The code of an error that Redis replied: its first word, or the one that a script passes on. Undefined for other errors.
 * The rest of the message may have names and addresses.
 */
export function replyCodeOf(error: unknown): string | undefined {
  // Where no node of a cluster can be used, the error has that of the last one.
  const last = error instanceof Error && 'lastNodeError' in error ? error.lastNodeError : error;
  if (!(last instanceof Error) || last.name !== 'ReplyError') return undefined;
  const { message } = last;
  if (/ACL failure|has no permissions|user executing the script can't/.test(message)) return 'NOPERM';
  const [, inside] = codeInside.exec(message) ?? [];
  return inside ?? /^[A-Z]{2,20}\b/.exec(message)?.[0];
}

/** Whether ioredis has waited too long for the reply to a command. Such an error has no code. */
export function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Command timed out';
}
