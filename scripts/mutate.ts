/**
 * Mutation testing: changes one operator, constant or condition at a time and runs the tests that execute it.
 * A mutant that no test notices survives: a test is missing, or the code does not matter.
 *
 *   node scripts/mutate.ts [--sample 50] [--seed 1] [--tests a,b] [folder or file …]
 *
 * Default: src without its texts. `--sample 0` tries every mutant. It works on copies in the system's temporary folder,
 * prints the survivors by folder, and ends with status 0. The first run measures for some minutes which tests execute
 * what; `node_modules/.cache/mutants.json` keeps it, to be deleted when the tests' support has changed much.
 */
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { MutantCopy } from './mutant-copy.ts';
import { type Covering, MutantCoverage } from './mutant-coverage.ts';
import type { Mutant } from './mutants.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    /** Names of test files without `.test.ts`. Default: all. */
    tests: { type: 'string' },
  },
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));

const copies = [new MutantCopy(), new MutantCopy()] as const;
const { mutants } = copies[0];
const paths = positionals.length > 0 ? positionals : ['src'];
const isChosen = ({ file }: Mutant) =>
  !file.startsWith('src/texts/') && paths.some((path) => file === path || file.startsWith(`${path}/`));
const chosen = sampleOf(mutants.filter(isChosen));
if (chosen.length === 0) throw new RangeError('No mutant is chosen: check --sample and the folders.');
const coverage = new MutantCoverage(mutants, values.tests?.split(','));
await coverage.measure(copies);
const queue = [...chosen];
const survivors: Mutant[] = [];
let tried = 0;
await Promise.all(copies.map(tryNext));
report();

async function tryNext(copy: MutantCopy): Promise<void> {
  for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
    const failure = await failureWith(mutant, copy);
    tried += 1;
    if (!failure) survivors.push(mutant);
    console.log(`${tried}/${chosen.length} ${failure ? 'killed' : 'SURVIVED'} ${describe(mutant)}`);
    if (failure) console.log(`      by ${failure}`);
    else if (coverage.testsOf(mutant).length === 0) console.log('      No test executes it.');
  }
}

/** What notices the mutant first: the nearest tests, the others, or the comparison of generated files. */
async function failureWith(mutant: Mutant, copy: MutantCopy): Promise<string | undefined> {
  const tests = coverage.testsOf(mutant);
  for (const group of [tests.slice(0, 6), tests.slice(6, 14), tests.slice(14)]) {
    const failure = await failureOf(group, mutant, copy);
    if (failure) return failure;
  }
  return (await copy.changesGeneratedFiles(mutant)) ? 'npm run generated' : undefined;
}

/** The first of the tests that notices the mutant. */
async function failureOf(
  tests: readonly Covering[],
  mutant: Mutant,
  copy: MutantCopy,
): Promise<string | undefined> {
  if (tests.length === 0) return undefined;
  const { passed, failure } = await run(tests, mutant, copy);
  if (passed) return undefined;
  const failed = tests.filter(({ test }) => failure.includes(test));
  // At the time limit it may have been any of them.
  const suspected = failed.length > 0 ? failed : tests;
  for (const test of suspected) if (await isNoticedBy(test, mutant, copy)) return failure;
  return await failureOf(
    tests.filter((test) => !suspected.includes(test)),
    mutant,
    copy,
  );
}

/**
 * Whether the test fails alone with the mutant and passes alone without it: on a busy machine, tests of time and memory
 * fail now and then.
 */
async function isNoticedBy(test: Covering, mutant: Mutant, copy: MutantCopy): Promise<boolean> {
  if ((await run([test], mutant, copy)).passed) return false;
  return (await run([test], undefined, copy)).passed || (await run([test], undefined, copy)).passed;
}

function run(tests: readonly Covering[], mutant: Mutant | undefined, copy: MutantCopy) {
  const seconds = tests.reduce((sum, { seconds }) => sum + seconds, 0);
  const names = tests.map(({ test }) => test);
  const leftOut = tests.flatMap(({ leftOut }) => leftOut);
  return copy.run(mutant, names, leftOut, 60_000 + seconds * 3_000);
}

function describe({ file, line, before, after }: Mutant): string {
  const short = (text: string) => text.replace(/\s+/g, ' ').slice(0, 60);
  return `${file}:${line}  ${short(before)}  →  ${short(after)}`;
}

/** The same mutants for the same seed. */
function sampleOf(all: readonly Mutant[]): Mutant[] {
  const size = Number(values.sample);
  if (size === 0 || size >= all.length) return [...all];
  let state = Number(values.seed);
  const random = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
  const keyed = all.map((mutant) => ({ mutant, key: random() }));
  return keyed
    .sort((a, b) => a.key - b.key)
    .slice(0, size)
    .map(({ mutant }) => mutant);
}

function report(): void {
  const share = (count: number, of: number) =>
    `${count} of ${of} (${Math.round((100 * count) / Math.max(of, 1))} %)`;
  console.log(`\nsurvived: ${share(survivors.length, chosen.length)}`);
  for (const folder of new Set(chosen.map(({ file }) => dirname(file)))) {
    const inFolder = ({ file }: Mutant) => dirname(file) === folder;
    console.log(`  ${folder}: ${share(survivors.filter(inFolder).length, chosen.filter(inFolder).length)}`);
  }
  for (const mutant of survivors.sort((a, b) => a.id - b.id)) console.log(`  ${describe(mutant)}`);
}
