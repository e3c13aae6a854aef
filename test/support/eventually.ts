import { setTimeout as sleep } from 'node:timers/promises';

/** Repeats a check until it does not reject, for at most a minute. Also used outside of vitest. */
export async function eventually<T>(check: () => Promise<T>): Promise<T> {
  const until = performance.now() + 60_000;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > until) throw error;
      await sleep(50);
    }
  }
}
