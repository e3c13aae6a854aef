/** Codes that scripts report in the middle of a message, and permissions, which they report in words. */
const codeInside = /\b(OOM|READONLY|NOREPLICAS|NOPERM|NOAUTH|WRONGPASS|MISCONF|CLUSTERDOWN|WRONGTYPE)\b/;

const firstCode = /^[A-Z]{2,20}\b/;

/**
 * The code of an error that Redis replied: its first word, or the one that a script passes on. Undefined for other errors.
 * The rest of the message may have names and addresses.
 */
export function replyCodeOf(error: unknown): string | undefined {
  const ofSentinel = sentinelErrorOf(error);
  if (ofSentinel !== undefined) return firstCode.exec(ofSentinel)?.[0];
  // Where no node of a cluster can be used, the error has that of the last one.
  const last = error instanceof Error && 'lastNodeError' in error ? error.lastNodeError : error;
  if (!(last instanceof Error) || last.name !== 'ReplyError') return undefined;
  const { message } = last;
  if (/ACL failure|has no permissions|user executing the script can't/.test(message)) return 'NOPERM';
  const [, inside] = codeInside.exec(message) ?? [];
  return inside ?? firstCode.exec(message)?.[0];
}

/**
 * The error of the last sentinel, where none can be used: ioredis keeps only its message. Empty if the sentinels replied that
 * there is no such primary. Undefined for other errors.
 */
export function sentinelErrorOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !error.message.startsWith('All sentinels are unreachable'))
    return undefined;
  return / Last error: (.*)$/s.exec(error.message)?.[1] ?? '';
}

/** Whether ioredis has waited too long for the reply to a command. Such an error has no code. */
export function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Command timed out';
}
