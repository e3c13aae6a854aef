import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

it('npm run simulate -- --help prints every option and simulates nothing', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['bench/simulate.ts', '--help'], {
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
  const options =
    'documents gateways copies course capacity budget fleet-budget first simulated hours hour seed courses check help';
  for (const option of options.split(' ')) expect(stdout).toContain(`--${option}`);
});
