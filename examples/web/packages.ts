/** The example's own packages and its build, with npm. Packages are installed when they are missing or out of date. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';

const folder = import.meta.dirname;

/** Installs the packages if necessary. `onStart` is called before an installation, which takes some time. */
export async function installPackages(onStart: () => void = () => {}): Promise<void> {
  if (isInstalled()) return;
  onStart();
  await run(['ci', '--include=dev', '--no-audit', '--no-fund']);
}

/** Checks the types and builds the page into `dist`, in production mode whatever the caller's NODE_ENV is. */
export async function buildPage(): Promise<void> {
  await run(['run', 'build'], { NODE_ENV: 'production' });
}

/** Runs npm in the example's folder. Rejects with its output when it fails. */
async function run(parameters: readonly string[], environment: Record<string, string> = {}): Promise<void> {
  const options = { cwd: folder, env: { ...process.env, ...environment } };
  // npm sets `npm_execpath` for its scripts; without it npm is looked up on the PATH.
  const npm = process.env['npm_execpath'];
  const child = npm
    ? spawn(process.execPath, [npm, ...parameters], options)
    : spawn('npm', parameters, { ...options, shell: process.platform === 'win32' });
  let printed = '';
  child.stdout.on('data', (chunk) => (printed += chunk));
  child.stderr.on('data', (chunk) => (printed += chunk));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`npm ${parameters.join(' ')} failed in examples/web:\n${printed}`);
}

/** npm writes the lockfile in `node_modules` last. */
function isInstalled(): boolean {
  const installed = statSync(join(folder, 'node_modules/.package-lock.json'), { throwIfNoEntry: false });
  return installed !== undefined && installed.mtimeMs >= statSync(join(folder, 'package-lock.json')).mtimeMs;
}
