/** The peers' packages: a package of its own, so that the gateway's `npm ci` does not pay for them. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const bench = dirname(fileURLToPath(import.meta.url));

export function installPeers(): void {
  if (existsSync(join(bench, 'node_modules'))) return;
  console.error('installing the packages of bench/ (npm ci), once');
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: bench,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status !== 0) {
    console.error('That failed. Type: npm --prefix bench ci');
    process.exit(1);
  }
}
