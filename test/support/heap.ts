/** The heap of this process. Tests that measure it run in a process of their own. */
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes in use after garbage collections in two turns of the event loop: a part becomes free in a later one. */
export async function heapBytes(): Promise<number> {
  for (let turn = 0; turn < 2; turn += 1) {
    await setImmediate();
    collectGarbage();
  }
  return process.memoryUsage().heapUsed;
}
