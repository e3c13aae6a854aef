/** W6: memory used by uploads, in a new process each time. */
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startContender } from '../contender-server.ts';
import { type Contender, gateway, limit } from '../contenders.ts';
import { spreadOf } from '../interleave.ts';
import { forgetPeak, peakMb, residentMb, startPinned } from '../processes.ts';
import { circumstances } from '../report.ts';
import { goalLine, median, spread, table } from '../table.ts';
import { startUpstream, type UpstreamOptions } from '../upstream/upstream.ts';
import type { Runnable, RunOptions } from './runnable.ts';
import { scanRequests } from './writes.ts';

interface Uploads {
  readonly title: string;
  readonly callers: number;
  readonly bytes: number;
  readonly upstream: UpstreamOptions;
}

const one: Uploads = { title: 'one file of 500 MB', callers: 1, bytes: 500_000_000, upstream: {} };
const many: Uploads = {
  title: '20 callers × 20 MB, service reads 4 MB/s of each',
  callers: 20,
  bytes: 20_000_000,
  upstream: { readBytesPerSecond: 4_000_000 },
};

interface Memory {
  readonly idleMb: number;
  readonly overIdleMb: number;
  readonly seconds: number;
}

async function measure(contender: Contender, uploads: Uploads): Promise<Memory> {
  const upstream = await startUpstream('node', uploads.upstream);
  const server = await startContender(contender, upstream.url, 'W6', scanRequests(1_000));
  try {
    await sleep(2_000);
    const { pid } = server.process;
    const idleMb = residentMb(pid);
    forgetPeak(pid);
    const load = startPinned(
      {
        argv: [process.execPath, fileURLToPath(new URL('../load/upload.ts', import.meta.url))],
        env: { URL: server.url, CALLERS: String(uploads.callers), BYTES: String(uploads.bytes) },
      },
      'load',
      'pipe',
    );
    const [ms] = await Promise.all([
      text(load.child.stdout as NodeJS.ReadableStream),
      once(load.child, 'exit'),
    ]);
    if (ms === '') throw new Error(`${contender.name} did not accept the upload: ${load.complaint()}`);
    return { idleMb, overIdleMb: peakMb(pid) - idleMb, seconds: Number(ms) / 1_000 };
  } finally {
    await server.stop();
    await upstream.stop();
  }
}

async function run({ slices, say }: RunOptions): Promise<string> {
  const rows: string[][] = [];
  const overIdle = new Map<string, number>();
  for (const uploads of [one, many]) {
    for (const contender of [limit, gateway]) {
      const results: Memory[] = [];
      for (let round = 0; round < slices; round += 1) {
        results.push(await measure(contender, uploads));
        say(`W6 ${uploads.title}, ${contender.name}: ${results.at(-1)?.overIdleMb.toFixed(0)} MB over idle`);
      }
      const all = (member: keyof Memory) => results.map((result) => result[member]);
      overIdle.set(`${contender.name} ${uploads.callers}`, spreadOf(all('overIdleMb')).median);
      rows.push([
        uploads.title,
        contender.label,
        spread(all('overIdleMb'), 0),
        median(all('idleMb'), 0),
        median(all('seconds'), 1),
      ]);
    }
  }
  const of = (name: string) => overIdle.get(name) ?? Number.NaN;
  return [
    circumstances(`Each figure from ${slices} processes, upstream node, MAX_UPLOAD_BYTES of 1 GiB.`),
    '',
    table(['upload', 'contender', 'peak memory over idle, MB', 'idle, MB', 'seconds'], rows),
    '',
    goalLine('G6', 'one file, ÷ LIMIT', of('gateway 1') / of('limit 1'), 1.25),
    goalLine('G6', 'one file, MB over idle', of('gateway 1'), 90, 0),
    goalLine('G6', '20 callers, MB over idle', of('gateway 20'), 150, 0),
  ].join('\n');
}

export const w6: Runnable = { name: 'W6', title: 'memory of streamed uploads', run };
