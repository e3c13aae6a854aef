/** Processes of the bench: pinned to a core, ended with the bench, their CPU time and memory as the kernel counts them. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** The server under test has one core; load and upstream share the other. */
export const cores = { server: 0, load: 1 } as const;

export type Core = keyof typeof cores;

/** Without a second core or taskset no process is pinned, and figures cannot be compared. */
export const isPinned = availableParallelism() > 1 && hasCommand('taskset');

export function hasCommand(command: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${command}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Moves this process, and the processes that it starts on no particular core, to the core of the load. */
export function pinSelf(): void {
  if (isPinned) execFileSync('taskset', ['-a', '-p', '-c', String(cores.load), String(process.pid)]);
}

const running = new Set<ChildProcess>();

process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

export interface PinnedProcess {
  readonly pid: number;
  readonly child: ChildProcess;
  /** The end of its output on standard error. */
  complaint(): string;
  /** SIGTERM, then SIGKILL after `graceMs` (default 3,000). */
  stop(graceMs?: number): Promise<void>;
}

export interface Command {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** Runs a file of this package under Node, with these variables only. */
export function nodeCommand(file: URL, env: Readonly<Record<string, string | number>>): Command {
  return {
    argv: [process.execPath, fileURLToPath(file)],
    env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, String(value)])),
  };
}

/** Standard output goes to the null device unless it is read. */
export function startPinned(
  { argv, env, cwd }: Command,
  core: Core,
  stdout: 'ignore' | 'pipe' = 'ignore',
): PinnedProcess {
  const pinned = isPinned ? ['taskset', '-c', String(cores[core]), ...argv] : argv;
  const [command, ...parameters] = pinned as [string, ...string[]];
  const child = spawn(command, parameters, {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    stdio: ['ignore', stdout, 'pipe'],
    ...(cwd ? { cwd } : {}),
  });
  let complaint = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    complaint = `${complaint}${chunk}`.slice(-2_000);
  });
  child.on('error', (error) => {
    complaint += error.message;
  });
  running.add(child);
  const exited = once(child, 'exit').then(() => running.delete(child));
  return {
    pid: child.pid ?? 0,
    child,
    complaint: () => complaint,
    async stop(graceMs = 3_000) {
      child.kill('SIGTERM');
      await Promise.race([exited, sleep(graceMs, undefined, { ref: false })]);
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** A port that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** User and system time of the process and its descendants, including ended ones (ms; a tick of the kernel is 10 ms). */
export function cpuMs(pid: number): number {
  const ticks = processTree(pid).reduce((sum, each) => sum + ticksOf(each), 0);
  return (ticks / ticksPerSecond) * 1_000;
}

function ticksOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // utime, stime, cutime, cstime: the 14th to 17th field; the second one may contain blanks.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
}

function processTree(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return [
    pid,
    ...(children === '' ? [] : children.split(' ').flatMap((child) => processTree(Number(child)))),
  ];
}

/** Resident memory of the process and its descendants (MB of 2^20 bytes). */
export function residentMb(pid: number): number {
  return processTree(pid).reduce((sum, each) => sum + statusMb(each, 'VmRSS'), 0);
}

/** Highest resident memory since `forgetPeak` (MB of 2^20 bytes). */
export function peakMb(pid: number): number {
  return processTree(pid).reduce((sum, each) => sum + statusMb(each, 'VmHWM'), 0);
}

export function forgetPeak(pid: number): void {
  for (const each of processTree(pid)) writeFileSync(`/proc/${each}/clear_refs`, '5');
}

function statusMb(pid: number, member: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${member}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / 1_024;
}
