/** First step of each entry point: checks the programs, installs the peers, moves this process off the measured core. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleFolder, earlierFolder } from './contenders.ts';
import { hasCommand, isPinned, pinSelf } from './processes.ts';
import { defaultUpstream } from './upstream/upstream.ts';

const bench = dirname(fileURLToPath(import.meta.url));

/** `against`: the folder of another state of Folio, with its packages installed, that is built for `--against`. */
export function prepare(against?: string): void {
  if (process.platform !== 'linux') fail('The bench reads CPU time and memory from /proc: it needs Linux.');
  if (!hasCommand('wrk')) fail('wrk is missing. Run: apt-get install wrk');
  if (defaultUpstream() === 'node') {
    console.error('nginx with Lua is missing (see bench/README.md): a Node process is used as the upstream');
  }
  if (!isPinned)
    console.error('without two cores and taskset no process is pinned: the figures cannot be compared');
  installPeers();
  buildBundle(dirname(bench), bundleFolder);
  if (against) buildBundle(against, earlierFolder);
  pinSelf();
}

/** A separate package, so that the gateway's `npm ci` does not install the peers. */
function installPeers(): void {
  if (existsSync(join(bench, 'node_modules'))) return;
  console.error('installing the packages of bench/ (npm ci), once');
  const options = ['ci', '--no-audit', '--no-fund'];
  const { status } = spawnSync('npm', options, { cwd: bench, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) fail('That failed. Run: npm --prefix bench ci');
}

/** Folio as the image runs it. */
function buildBundle(root: string, folder: string): void {
  const parameters = [join(root, 'scripts/build.ts'), '--to', folder];
  const { status } = spawnSync(process.execPath, parameters, {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) fail('The bundle could not be built. Run: npm run build');
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
