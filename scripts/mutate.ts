/**
 * Mutation testing: changes one operator, constant or condition at a time and runs the tests that execute it.
 * A mutant that no test notices survives: a test is missing, or the code does not matter.
 *
 *   node scripts/mutate.ts [--sample 50] [--seed 1] [--tests a,b] [folder or file …]
 *
 * Default folders: src/operation src/upstream src/state src/watch src/features/malaysia. `--sample 0` tries every mutant. It works
 * on a copy in the system's temporary folder, prints the survivors by file, and ends with status 0.
 */
import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Mutant, mutate } from './mutants.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    /** Names of test files without `.test.ts`; default: all that execute the changed copy. */
    tests: { type: 'string' },
  },
});

/** Test folders of other programs, of pages and of whole processes, which do not execute the changed copy. */
const withoutMutants = ['clients', 'ops', 'pages', 'process', 'sandbox', 'scripts', 'support'];
const folders =
  positionals.length > 0
    ? positionals
    : ['src/operation', 'src/upstream', 'src/state', 'src/watch', 'src/features/malaysia'];
const root = resolve(import.meta.dirname, '..');
const copy = mkdtempSync(join(tmpdir(), 'folio-mutants-'));
process.on('exit', () => rmSync(copy, { recursive: true, force: true }));
process.on('SIGINT', () => process.exit(130));

const mutants = prepareCopy();
const tests = testFiles();
const coverage = await measureCoverage(tests);
const chosen = sampleOf(mutants.filter(({ id }) => coverage.has(id)));
const uncovered = mutants.filter(({ id }) => !coverage.has(id));
console.log(
  `${mutants.length} mutants, ${uncovered.length} in code that no test executes, ${chosen.length} tried`,
);

const survivors: Mutant[] = [];
const queue = [...chosen];
let tried = 0;
await Promise.all([worker(), worker()]);
report();

async function worker(): Promise<void> {
  for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
    const isKilled = await notices(mutant, coverage.get(mutant.id) as readonly Covering[]);
    tried += 1;
    if (!isKilled) survivors.push(mutant);
    console.log(`${tried}/${chosen.length} ${isKilled ? 'killed' : 'SURVIVED'} ${describe(mutant)}`);
  }
}

function describe({ file, line, before, after }: Mutant): string {
  const short = (text: string) => text.replace(/\s+/g, ' ').slice(0, 60);
  return `${file}:${line}  ${short(before)}  →  ${short(after)}`;
}

/** A copy of the project in which every mutant is present and inactive. */
function prepareCopy(): Mutant[] {
  for (const name of ['src', 'test', 'bench', 'packages', 'examples', 'docs', 'ops', 'scripts']) {
    if (existsSync(join(root, name))) {
      const filter = (path: string) => basename(path) !== 'node_modules';
      cpSync(join(root, name), join(copy, name), { recursive: true, filter });
    }
  }
  for (const name of ['package.json', 'tsconfig.json', 'schema.graphql', 'README.md', 'codegen.ts']) {
    cpSync(join(root, name), join(copy, name));
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const all: Mutant[] = [];
  for (const folder of folders) {
    const files = folder.endsWith('.ts') ? [folder] : globSync(`${folder}/**/*.ts`, { cwd: root }).sort();
    for (const file of files) {
      const { text, mutants: found } = mutate(file, readFileSync(join(root, file), 'utf8'), all.length);
      writeFileSync(join(copy, file), text);
      all.push(...found);
    }
  }
  writeFileSync(
    join(copy, 'test', 'mutant-setup.ts'),
    `import { appendFileSync } from 'node:fs';
import { afterAll } from 'vitest';
const hits = new Set<number>();
const active = Number(process.env['FOLIO_MUTANT'] ?? -1);
(globalThis as any).__mutant = (id: number) => {
  hits.add(id);
  return id === active;
};
const file = process.env['FOLIO_MUTANT_HITS'];
afterAll(() => file && appendFileSync(file, [...hits].join(' ') + ' '));
`,
  );
  writeFileSync(
    join(copy, 'vitest.config.ts'),
    readFileSync(join(root, 'vitest.config.ts'), 'utf8')
      .replace('test: {', "test: {\n    setupFiles: ['test/mutant-setup.ts'],\n    cache: false,")
      .replace('testTimeout: 15_000', 'testTimeout: 60_000'),
  );
  return all;
}

/** Paths of test files; those of fleets last, since they take minutes. */
function testFiles(): string[] {
  const files = globSync('test/**/*.test.ts', { cwd: root }).map((file) => file.replaceAll('\\', '/'));
  const named = values.tests?.split(',');
  if (named) return files.filter((file) => named.includes(basename(file, '.test.ts')));
  const folderOf = (file: string) => file.split('/')[1] as string;
  const isOfFleet = (file: string) => folderOf(file) === 'fleet';
  return files
    .filter((file) => !withoutMutants.includes(folderOf(file)))
    .sort((a, b) => Number(isOfFleet(a)) - Number(isOfFleet(b)) || (a < b ? -1 : 1));
}

interface Covering {
  readonly test: string;
  readonly seconds: number;
}

/** The tests that execute each mutant, the fastest first; tests of fleets only where no other test does. */
async function measureCoverage(files: readonly string[]): Promise<Map<number, readonly Covering[]>> {
  const covering = new Map<number, Covering[]>();
  mkdirSync(join(copy, 'hits'));
  const open = [...files];
  const measure = async () => {
    for (let test = open.shift(); test; test = open.shift()) {
      const hits = join(copy, 'hits', basename(test));
      const startedAt = Date.now();
      const status = await vitest([test], { FOLIO_MUTANT_HITS: hits }, 300_000);
      const seconds = (Date.now() - startedAt) / 1_000;
      if (status !== 0) {
        console.log(`${test} fails without a mutant: left out`);
        continue;
      }
      if (!existsSync(hits)) continue;
      for (const id of new Set(readFileSync(hits, 'utf8').trim().split(' ').map(Number))) {
        if (test.startsWith('test/fleet/') && covering.has(id)) continue;
        covering.set(
          id,
          [...(covering.get(id) ?? []), { test, seconds }].sort((a, b) => a.seconds - b.seconds),
        );
      }
    }
  };
  await Promise.all([measure(), measure()]);
  return covering;
}

/** The fastest tests together first, then each of the others until one fails. */
async function notices(mutant: Mutant, covering: readonly Covering[]): Promise<boolean> {
  const groups = [covering.slice(0, 6), covering.slice(6, 14), covering.slice(14)];
  for (const group of groups.filter(({ length }) => length > 0)) {
    const seconds = group.reduce((sum, { seconds }) => sum + seconds, 0);
    const limit = 30_000 + seconds * 3_000;
    const status = await vitest(
      group.map(({ test }) => test),
      { FOLIO_MUTANT: String(mutant.id) },
      limit,
    );
    if (status !== 0) return true;
  }
  return false;
}

/** The exit status; a run that takes too long is stopped and counts as failed. */
function vitest(
  files: readonly string[],
  environment: Record<string, string>,
  limitMs: number,
): Promise<number> {
  return new Promise((done) => {
    const entry = join(copy, 'node_modules', 'vitest', 'vitest.mjs');
    const child = spawn(process.execPath, [entry, 'run', '--bail=1', '--reporter=dot', ...files], {
      cwd: copy,
      env: { ...process.env, ...environment },
      stdio: 'ignore',
      detached: true,
    });
    const stop = () => {
      try {
        process.kill(-(child.pid as number), 'SIGKILL');
      } catch {
        // It has ended already.
      }
    };
    const timer = setTimeout(stop, limitMs);
    child.on('exit', (status) => {
      clearTimeout(timer);
      stop();
      done(status ?? 1);
    });
  });
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
