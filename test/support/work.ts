import { threadCpuUsage } from 'node:process';
import { forTest } from './lifetimes.ts';

/** Works for so long (ms) by the time of the CPU, however busy the machine is with others. */
export function work(ms: number): void {
  const before = threadCpuUsage();
  const spentMs = () => {
    const { user, system } = threadCpuUsage(before);
    return (user + system) / 1_000;
  };
  while (spentMs() < ms);
}

/** Calls the function in each turn of the event loop until the end of the running test. */
function eachTurn(call: () => void): void {
  const count = () => {
    call();
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  forTest({ close: () => clearImmediate(next) });
}

/** Number of turns of the event loop so far. */
export function turnCounter(): () => number {
  let turn = 0;
  eachTurn(() => {
    turn += 1;
  });
  return () => turn;
}

/** Most CPU time of one turn of the event loop so far (ms). */
export function longestTurn(): () => number {
  let most = 0;
  let before = threadCpuUsage();
  eachTurn(() => {
    const { user, system } = threadCpuUsage(before);
    most = Math.max(most, (user + system) / 1_000);
    before = threadCpuUsage();
  });
  return () => most;
}
