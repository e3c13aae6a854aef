/** The service behind the contenders: nginx if it is installed, otherwise a Node process. Both use the load's core. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort, startPinned } from '../processes.ts';
import { nginxCommand, nginxVersion } from './nginx.ts';

export type UpstreamKind = 'nginx' | 'node';

export interface Upstream {
  readonly url: string;
  /** Number of requests served since the start, without those for this number. */
  calls(): Promise<number>;
  stop(): Promise<void>;
}

export interface UpstreamOptions {
  readonly delayMs?: number;
  /** Rate at which each connection's upload is read. Only the Node upstream can be slow. */
  readonly readBytesPerSecond?: number;
}

export function defaultUpstream(): UpstreamKind {
  return nginxVersion() === undefined ? 'node' : 'nginx';
}

export async function startUpstream(
  kind: UpstreamKind,
  { delayMs = 0, readBytesPerSecond = 0 }: UpstreamOptions = {},
): Promise<Upstream> {
  const folder = mkdtempSync(join(tmpdir(), 'folio-bench-'));
  const port = await freePort();
  const server = startPinned(
    kind === 'nginx'
      ? { argv: nginxCommand(folder, port, delayMs), env: {} }
      : {
          argv: [process.execPath, fileURLToPath(new URL('node.ts', import.meta.url))],
          env: {
            PORT: String(port),
            DELAY_MS: String(delayMs),
            READ_BYTES_PER_SECOND: String(readBytesPerSecond),
          },
        },
    'load',
  );
  const url = `http://127.0.0.1:${port}`;
  const calls = async () => Number(await (await fetch(`${url}/calls`)).text());
  await untilAnswered(calls, server.complaint);
  return {
    url,
    calls,
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Tries every few milliseconds, for 30 seconds. */
export async function untilAnswered<T>(ask: () => Promise<T>, complaint: () => string): Promise<T> {
  const until = performance.now() + 30_000;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (performance.now() > until) throw new Error(`does not respond: ${error}\n${complaint()}`);
      await sleep(5);
    }
  }
}
