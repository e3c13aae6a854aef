import type { Redis } from 'ioredis';

/** Time between two checks (ms): a connection without a reply for that long is replaced. */
const checkMs = 2_000;

/**
 * Replaces a connection that is open but no longer answers, since everything sent over it would be kept
 * without bound, and messages would be missed without an error. The returned function stops the checks.
 */
export function watchConnection(connection: Redis): () => void {
  let isWaiting = false;
  function check(): void {
    const isOpen = connection.status === 'ready' || connection.status === 'connect';
    if (isWaiting && isOpen) connection.disconnect(true);
    isWaiting = isOpen;
    if (connection.status !== 'ready') return;
    connection.ping().then(
      () => {
        isWaiting = false;
      },
      () => {},
    );
  }
  connection.on('ready', () => {
    isWaiting = false;
  });
  // After a pause of this process replies are read before they are judged missing.
  const timer = setInterval(() => setImmediate(check), checkMs);
  return () => clearInterval(timer);
}
