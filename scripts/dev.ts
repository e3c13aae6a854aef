/**
 * `npm run dev`: restarts the gateway when a source file is saved. The sandbox runs in a separate process and keeps its
 * groups, documents and faults across restarts. With `UPSTREAM_URL` set no sandbox is started. Settings come from the
 * environment and from `.env`. `npm run dev -- --sandbox-port 4011` moves the sandbox from port 4010.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { 'sandbox-port': { type: 'string', default: '4010' } } });
const sandboxPort = values['sandbox-port'];
const usesSandbox = [undefined, '', 'sandbox'].includes(process.env['UPSTREAM_URL']);

const compileCache = 'node_modules/.cache/compiled';
const gatewayVariables = {
  ...(usesSandbox && { UPSTREAM_URL: `http://127.0.0.1:${sandboxPort}` }),
  NODE_COMPILE_CACHE: compileCache,
};
// SIGKILL: the old process has nothing to save, and SIGTERM would drain its sockets first.
const watch = ['--watch', '--watch-preserve-output', '--watch-kill-signal=SIGKILL'];

// The compile cache makes restarts fast. Only a process that exits normally writes it.
if (!existsSync(compileCache)) {
  const env = { ...process.env, NODE_COMPILE_CACHE: compileCache };
  spawnSync(process.execPath, ['src/main.ts', '--help'], { env });
}

const children: ChildProcess[] = [];
if (usesSandbox) start(['src/sandbox/main.ts', '--port', sandboxPort], {});
start([...watch, 'src/main.ts'], gatewayVariables);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);

/** If one of the processes exits, the other is stopped, and this process ends with the status of the first that failed. */
function start(args: string[], variables: Record<string, string>): void {
  const child = spawn(process.execPath, args, { stdio: 'inherit', env: { ...process.env, ...variables } });
  child.on('exit', (code) => {
    process.exitCode ||= code ?? 0;
    stop();
  });
  children.push(child);
}

function stop(): void {
  for (const child of children) child.kill();
}
