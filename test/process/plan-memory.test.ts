/** Documents whose fragments multiply their fields, so that their execution plans are far larger than their texts. */
import { expect, it } from 'vitest';
import { forTest } from '../support/lifetimes.ts';
import { metricOf } from '../support/metric.ts';
import { startProcess } from '../support/process.ts';

const MiB = 1024 * 1024;

/** 1,826 planned fields in about 900 bytes, and a plan for each combination of two variables. */
function text(name: number): string {
  const repeated = (count: number, of: (index: number) => string) =>
    Array.from({ length: count }, (_, at) => of(at)).join(' ');
  return (
    `query q${name}($a: Boolean!, $b: Boolean!) { ${repeated(11, (at) => `a${at}: gatewayInfo { ...B }`)} ` +
    'x: __typename @include(if: $a) y: __typename @include(if: $b) } ' +
    `fragment B on GatewayInfo { ${repeated(11, (at) => `b${at}: limits { ...A }`)} } ` +
    `fragment A on GatewayLimits { ${repeated(14, (at) => `c${at}: maxBatchSize`)} }`
  );
}

/** Collects all garbage on a signal. */
const collecting = `
  import { setFlagsFromString } from 'node:v8';
  import { runInNewContext } from 'node:vm';
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  process.on('SIGUSR2', () => collect());`;

it('30 of them with four plans each do not stay in a heap of 256 MiB, and an honest caller is served', async () => {
  const NODE_OPTIONS = `--max-old-space-size=256 --import=data:text/javascript,${encodeURIComponent(collecting)}`;
  const gateway = forTest(await startProcess({ NODE_OPTIONS, LOG_LEVEL: 'error' }));
  const heldMiB = async () => {
    gateway.process.kill('SIGUSR2');
    return (await metricOf(gateway, 'nodejs_heap_size_used_bytes')) / MiB;
  };
  const honest = '{ gatewayInfo { limits { maxBatchSize } } }';
  await gateway.ask(honest);
  const before = await heldMiB();
  for (let name = 0; name < 30; name += 1) {
    for (const a of [true, false])
      for (const b of [true, false]) expect((await gateway.ask(text(name), { a, b })).errors).toBeUndefined();
  }
  expect((await gateway.ask(honest)).errors).toBeUndefined();
  await expect.poll(async () => (await heldMiB()) - before).toBeLessThan(40);
});
