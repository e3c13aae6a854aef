/** W8: time from the start of the process to its first correct response, and its memory at rest afterwards. */
import { setTimeout as sleep } from 'node:timers/promises';
import { startContender } from '../contender-server.ts';
import { limit } from '../contenders.ts';
import { participants } from '../http-workload.ts';
import { spreadOf } from '../interleave.ts';
import { residentMb } from '../processes.ts';
import { circumstances } from '../report.ts';
import { goalLine, spread, table } from '../table.ts';
import { startUpstream } from '../upstream/upstream.ts';
import { w1 } from './mexico.ts';
import type { Runnable, RunOptions } from './runnable.ts';
import { everyPeer } from './workload.ts';

interface Start {
  readonly startMs: number;
  readonly idleMb: number;
}

const restMs = 3_000;

async function run({ slices, upstream: kind, only, against, say }: RunOptions): Promise<string> {
  const { present, absent } = participants([...everyPeer, 'source'], { only, against });
  const all = [limit, ...present];
  const starts = new Map(all.map(({ name }) => [name, [] as Start[]]));
  const upstream = await startUpstream(kind);
  try {
    // The first round fills the page cache.
    for (let round = 0; round <= slices; round += 1) {
      for (const contender of all) {
        const requests = contender.isWire && w1.wire ? w1.wire.requests : w1.requests;
        const server = await startContender(contender, upstream.url, 'W8', requests);
        await sleep(restMs);
        const start = { startMs: server.startMs, idleMb: residentMb(server.process.pid) };
        await server.stop();
        if (round > 0) starts.get(contender.name)?.push(start);
        say(`W8 ${contender.name}: ${start.startMs.toFixed(0)} ms, ${start.idleMb.toFixed(0)} MB`);
      }
    }
  } finally {
    await upstream.stop();
  }
  const of = (name: string, member: keyof Start) => (starts.get(name) ?? []).map((start) => start[member]);
  const middle = (name: string, member: keyof Start) => spreadOf(of(name, member)).median;
  const ratio = (name: string) => middle(name, 'startMs') / middle('limit', 'startMs');
  return [
    circumstances(
      `${slices} starts each, memory ${restMs / 1_000} s after the first response, upstream ${kind}.`,
    ),
    '',
    table(
      ['contender', 'start ÷ LIMIT', 'first correct response, ms', 'memory at rest, MB'],
      all.map(({ name, label }) => [
        label,
        ratio(name).toFixed(2),
        spread(of(name, 'startMs'), 0),
        spread(of(name, 'idleMb'), 0),
      ]),
    ),
    '',
    ...(starts.has('gateway')
      ? [
          goalLine('G8', 'first correct response ÷ LIMIT', ratio('gateway'), 1.3),
          goalLine('G8', 'memory at rest, MB', middle('gateway', 'idleMb'), 95, 0),
        ]
      : []),
    ...absent.map((line) => `- not measured: ${line}`),
  ].join('\n');
}

export const w8: Runnable = { name: 'W8', title: 'start', run };
