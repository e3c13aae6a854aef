import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

it('npm run simulate -- --help prints every option and simulates nothing', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['bench/simulate.ts', '--help'], {
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
  for (const option of [
    'documents',
    'gateways',
    'copies',
    'course',
    'capacity',
    'budget',
    'fleet-budget',
    'first',
  ])
    expect(stdout).toContain(`--${option}`);
  for (const option of ['simulated', 'hours', 'hour', 'seed', 'courses', 'check', 'help'])
    expect(stdout).toContain(`--${option}`);
});
