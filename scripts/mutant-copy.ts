/** A copy of the project with every mutant in it, one of which can be active, and runs of its tests. */
import { spawn } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative, resolve } from 'node:path';
import { type Mutant, mutate } from './mutants.ts';

const root = resolve(import.meta.dirname, '..');

/** Imported by every mutated file, in processes that tests start too. */
const chooser = (copy: string) => `import { appendFileSync, readFileSync } from 'node:fs';
const active = readFileSync(${JSON.stringify(join(copy, 'active'))}, 'utf8');
const executed = new Set();
globalThis.__mutant = (id) => {
  if (active !== 'measure') return String(id) === active;
  if (!executed.has(id)) {
    executed.add(id);
    appendFileSync(${JSON.stringify(join(copy, 'executed'))}, id + ' ');
  }
  return false;
};
`;

interface TestRun {
  readonly passed: boolean;
  readonly seconds: number;
  /** The first test that failed. */
  readonly failure: string;
  /** The tests that failed, each as `file > group > title`. */
  readonly failed: readonly string[];
}

export class MutantCopy {
  readonly mutants: readonly Mutant[];
  readonly #path = mkdtempSync(join(tmpdir(), 'folio-mutants-'));
  #stop = () => {};

  constructor() {
    process.on('exit', () => {
      this.#stop();
      rmSync(this.#path, { recursive: true, force: true });
    });
    const filter = (path: string) => !['node_modules', '.git', 'dist'].includes(basename(path));
    cpSync(root, this.#path, { recursive: true, filter });
    symlinkSync(join(root, 'node_modules'), join(this.#path, 'node_modules'));
    writeFileSync(join(this.#path, 'mutant.js'), chooser(this.#path));
    const mutants: Mutant[] = [];
    for (const file of globSync('src/**/*.ts', { cwd: root }).sort()) {
      this.#write(file, (source) => {
        const mutated = mutate(file, source, mutants.length);
        mutants.push(...mutated.mutants);
        return `import '${relative(join(file, '..'), 'mutant.js')}'; ${mutated.text}`;
      });
    }
    this.mutants = mutants;
  }

  #write(file: string, change: (text: string) => string): void {
    writeFileSync(join(this.#path, file), change(readFileSync(join(root, file), 'utf8')));
  }

  /** Runs a test file without a mutant. Returns also the ids of the mutants that it executed. */
  async measure(
    test: string,
    leftOut: readonly string[],
  ): Promise<TestRun & { executed: ReadonlySet<number> }> {
    writeFileSync(join(this.#path, 'executed'), '');
    const run = await this.#run('measure', [test, ...without(leftOut)], 300_000);
    const ids = readFileSync(join(this.#path, 'executed'), 'utf8').trim().split(' ');
    return { ...run, executed: new Set(ids.filter(Boolean).map(Number)) };
  }

  /** Runs test files until a test fails. `leftOut`: tests that are not run. */
  run(
    mutant: Mutant | undefined,
    tests: readonly string[],
    leftOut: readonly string[],
    limitMs: number,
  ): Promise<TestRun> {
    return this.#run(String(mutant?.id), ['--bail=1', ...tests, ...without(leftOut)], limitMs);
  }

  /** Whether a generated file would be another one: the schema, a page of the reference. */
  async changesGeneratedFiles({ id }: Mutant): Promise<boolean> {
    const { status } = await this.#node(String(id), ['scripts/generate.ts', '--check'], 60_000);
    return status !== 0;
  }

  async #run(active: string, options: readonly string[], limitMs: number): Promise<TestRun> {
    const startedAt = Date.now();
    const entry = join('node_modules', 'vitest', 'vitest.mjs');
    const parameters = [entry, 'run', '--reporter=dot', ...options];
    const { status, output } = await this.#node(active, parameters, limitMs);
    const failed = [...output.matchAll(/^\s*FAIL\s+(.*)$/gm)].map(([, test]) => test as string);
    const seconds = (Date.now() - startedAt) / 1_000;
    return { passed: status === 0, seconds, failure: failed[0] ?? 'time limit', failed };
  }

  /** A process that takes too long is killed. */
  async #node(active: string, parameters: readonly string[], limitMs: number) {
    writeFileSync(join(this.#path, 'active'), active);
    const child = spawn(process.execPath, parameters, {
      cwd: this.#path,
      env: { ...process.env, NO_COLOR: '1', FOLIO_ENTRY: 'src/main.ts' },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    this.#stop = () => {
      try {
        process.kill(-(child.pid as number), 'SIGKILL');
      } catch {
        // It has ended already.
      }
    };
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
    const timer = setTimeout(this.#stop, limitMs);
    const { promise: ended, resolve } = Promise.withResolvers<number | null>();
    child.on('exit', resolve);
    const status = await ended;
    clearTimeout(timer);
    this.#stop();
    return { status, output };
  }
}

/** The option of vitest that runs all tests but these. */
function without(tests: readonly string[]): string[] {
  const patternOf = (test: string) => test.split(' > ').slice(1).map(RegExp.escape).join('(?: >)? ');
  return tests.length === 0 ? [] : ['--testNamePattern', `^(?!\\s*(?:${tests.map(patternOf).join('|')})$)`];
}
