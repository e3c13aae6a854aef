import { threadCpuUsage } from 'node:process';

/** Works for so long (ms) by the time of the CPU, however busy the machine is with others. */
export function work(ms: number): void {
  const before = threadCpuUsage();
  const spentMs = () => {
    const { user, system } = threadCpuUsage(before);
    return (user + system) / 1_000;
  };
  while (spentMs() < ms);
}
