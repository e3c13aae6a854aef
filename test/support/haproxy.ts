/** Runs haproxy with ops/haproxy.cfg, if haproxy is installed. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually.ts';
import type { TestNginx } from './nginx.ts';
import { freePort } from './redis.ts';

export function hasHaproxy(): boolean {
  if (spawnSync('haproxy', ['-v']).status === 0) return true;
  console.warn('Tests with haproxy are skipped: it is not on the PATH.');
  return false;
}

/** Starts haproxy in front of the gateways folio-1, folio-2 and folio-3. The file is the real one, with their addresses. */
export async function startHaproxy(
  addressOf: (name: string) => string,
  port: number,
): Promise<Pick<TestNginx, 'url' | 'close'>> {
  const listenPort = await freePort();
  const text = readFileSync('ops/haproxy.cfg', 'utf8')
    // As many descriptors as a test may open.
    .replace('maxconn 40000', 'maxconn 4000')
    .replace('bind :8080', `bind 127.0.0.1:${listenPort}`)
    .replaceAll(/(folio-\d):4000/g, (_all, name: string) => `${addressOf(name)}:${port}`);
  const folder = mkdtempSync(join(tmpdir(), 'haproxy-'));
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, text);
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' });
  const exited = once(child, 'exit');
  const url = `http://127.0.0.1:${listenPort}/graphql`;
  await eventually(async () => {
    const { status } = await fetch(new URL('/ready', url));
    if (status !== 200) throw new Error(`haproxy responds with ${status}`);
  });
  return {
    url,
    async close() {
      child.kill('SIGTERM');
      await exited;
      rmSync(folder, { recursive: true });
    },
  };
}
