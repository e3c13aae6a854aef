import type { Redis } from 'ioredis';
import { replace } from './unreadable-replies.ts';

/** Time between two checks (ms). A connection without a reply for this long is replaced. */
const checkMs = 2_000;

/**
 * Replaces a connection that is open but does not reply: otherwise commands would be kept without bound, and messages
 * would be missed without an error. Its end is not waited for, because a server that does not reply does not close it either.
 * It is checked while it is open: ioredis reports no end of one that is closed for good while it is being made again.
 */
export function watchConnection(connection: Redis): void {
  let isWaiting = false;
  let timer: NodeJS.Timeout | undefined;
  const onReply = () => {
    isWaiting = false;
  };
  function check(): void {
    const isOpen = connection.status === 'ready' || connection.status === 'connect';
    if (isWaiting && isOpen) replace(connection, new Error('Redis does not reply: Command timed out'));
    isWaiting = isOpen;
    if (connection.status !== 'ready') return;
    connection.ping().then(onReply, () => {});
  }
  connection.on('ready', onReply);
  connection.on('connect', () => {
    onReply();
    // After a pause of this process, read replies before checking whether they are missing.
    timer = setInterval(() => setImmediate(check), checkMs);
  });
  connection.on('close', () => clearInterval(timer));
}
