/**
 * Checks the goals G1 and G2 with 20 % slack, in about five minutes. Run it before a release, on an idle machine.
 *
 *     npm run bench:check
 */
import { goalResults, runHttpWorkload } from './http-workload.ts';
import { prepare } from './prepare.ts';
import { goalLine } from './table.ts';
import { defaultUpstream } from './upstream/upstream.ts';
import { w1, w2 } from './workloads/mexico.ts';

const slack = 1.2;

prepare();
for (const workload of [w1, w2]) {
  const { measured, absent } = await runHttpWorkload(workload, {
    slices: 1,
    seconds: 1,
    warmupRequests: 60_000,
    against: false,
    upstream: defaultUpstream(),
    only: ['gateway', ...workload.goals.map(({ of }) => of)],
    say: () => {},
  });
  for (const line of absent) console.log(`- not measured: ${line}`);
  for (const { name, of, value, factor } of goalResults(workload, measured)) {
    console.log(goalLine(name, `${workload.name} ÷ ${of}, with slack`, value, factor * slack));
    if (value > factor * slack) process.exitCode = 1;
  }
}
