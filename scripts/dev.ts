/**
 * `npm run dev`: the gateway restarts whenever a file of it is saved. The sandbox runs in a process of its own, so
 * its groups, documents and faults outlive the restarts. With `UPSTREAM_URL` set there is no sandbox. Settings come from
 * the environment and from `.env`.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const sandboxPort = String(Number(process.env['SANDBOX_PORT']) || 4010);
const usesSandbox = [undefined, '', 'sandbox'].includes(process.env['UPSTREAM_URL']);

const compileCache = 'node_modules/.cache/compiled';
const gatewayVariables = {
  ...(usesSandbox && { UPSTREAM_URL: `http://127.0.0.1:${sandboxPort}` }),
  NODE_COMPILE_CACHE: compileCache,
};
// The process that ends has nothing to keep: SIGTERM would drain its sockets first.
const watch = ['--watch', '--watch-preserve-output', '--watch-kill-signal=SIGKILL'];

// The cache makes restarts fast, and is written only by a process that ends by itself.
if (!existsSync(compileCache)) {
  const env = { ...process.env, NODE_COMPILE_CACHE: compileCache };
  spawnSync(process.execPath, ['src/main.ts', '--help'], { env });
}

const children: ChildProcess[] = [];
if (usesSandbox) start(['src/sandbox/main.ts'], { SANDBOX_PORT: sandboxPort });
start([...watch, 'src/main.ts'], gatewayVariables);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);

/** When one of the two ends by itself, so does the other. */
function start(args: string[], variables: Record<string, string>): void {
  const child = spawn(process.execPath, args, { stdio: 'inherit', env: { ...process.env, ...variables } });
  child.on('exit', stop);
  children.push(child);
}

function stop(): void {
  for (const child of children) child.kill();
}
