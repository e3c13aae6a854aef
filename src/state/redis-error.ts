/** Codes that scripts report in the middle of a message, and permissions, which they report in words. */
const codeInside = /\b(OOM|READONLY|NOREPLICAS|NOPERM|NOAUTH|WRONGPASS|MISCONF|CLUSTERDOWN|WRONGTYPE)\b/;

/** After many attempts ioredis has only the message of the last error. */
const manyAttempts = {
  sentinels: 'All sentinels are unreachable',
  cluster: 'Too many Cluster redirections',
};

/** Whether Redis has replied this error itself, and so refused the command. */
export function isReply(error: unknown): error is Error {
  return error instanceof Error && error.name === 'ReplyError';
}

/** The whole message of an error that Redis replied, at least to the last of many attempts. Undefined for other errors. */
export function replyMessageOf(error: unknown): string | undefined {
  // Where no node of a cluster can be used, the error has that of the last one.
  const last = error instanceof Error && 'lastNodeError' in error ? error.lastNodeError : error;
  return isReply(last) ? last.message : lastErrorOf(last);
}

/** The code of such an error: its first word, or the one that a script passes on. The rest may have names and addresses. */
export function replyCodeOf(error: unknown): string | undefined {
  const message = replyMessageOf(error);
  if (!message) return undefined;
  if (/ACL failure|has no permissions|user executing the script can't/.test(message)) return 'NOPERM';
  const [, inside] = codeInside.exec(message) ?? [];
  return inside ?? /^[A-Z]{2,20}\b/.exec(message)?.[0];
}

/**
 * The message of the last sentinel's error, where none can be used. Empty if the sentinels replied that there is no such
 * primary. Undefined for other errors.
 */
export function sentinelErrorOf(error: unknown): string | undefined {
  return error instanceof Error && error.message.startsWith(manyAttempts.sentinels)
    ? (lastErrorOf(error) ?? '')
    : undefined;
}

function lastErrorOf(error: unknown): string | undefined {
  const beginnings = Object.values(manyAttempts);
  if (!(error instanceof Error) || !beginnings.some((text) => error.message.startsWith(text)))
    return undefined;
  return / Last error: (?:ReplyError: )?(.*)$/s.exec(error.message)?.[1];
}

/** Whether Redis has not replied in time: to a command, at least in the last of many attempts, or to `redis-watchdog.ts`. Such an error has no code. */
export function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message.endsWith('Command timed out');
}
