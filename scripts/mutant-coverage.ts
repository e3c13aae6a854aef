/** Which tests execute which mutants. Kept between runs: only tests that have changed since are measured again. */
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { MutantCopy } from './mutant-copy.ts';
import type { Mutant } from './mutants.ts';

const root = resolve(import.meta.dirname, '..');
const kept = resolve(root, 'node_modules/.cache/mutants.json');

/** Test folders of other programs and of pages, which do not execute `src`, or only what others execute too. */
const withoutMutants = ['clients', 'ops', 'pages', 'support'];

interface Measured {
  readonly version: string;
  readonly seconds: number;
  readonly leftOut: readonly string[];
  /** The mutants of each file that it executes, by their numbers in the file. */
  readonly executes: Readonly<Record<string, { readonly version: string; readonly numbers: number[] }>>;
}

export interface Covering {
  readonly test: string;
  readonly seconds: number;
  /** Its tests that fail without a mutant, for example at a bound on time. They detect nothing and are not run. */
  readonly leftOut: readonly string[];
}

export class MutantCoverage {
  readonly #measured: Record<string, Measured>;
  readonly #firstIds = new Map<string, number>();
  readonly #versions = new Map<string, string>();
  readonly #tests: readonly string[];

  /** `names`: those of the test files to use, without `.test.ts`. Default: all. */
  constructor(mutants: readonly Mutant[], names?: readonly string[]) {
    this.#tests = testFiles().filter((test) => !names || names.includes(basename(test, '.test.ts')));
    if (this.#tests.length === 0) throw new RangeError(`No test file is named ${names}.`);
    this.#measured = existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : {};
    for (const { file, id } of mutants) if (!this.#firstIds.has(file)) this.#firstIds.set(file, id);
  }

  /** Measures the tests that are new or have changed, with one copy each at a time. */
  async measure(copies: readonly MutantCopy[]): Promise<void> {
    const open = this.#tests.filter((test) => this.#measured[test]?.version !== this.#versionOf(test));
    const measureNext = async (copy: MutantCopy) => {
      for (let test = open.shift(); test; test = open.shift()) {
        let run = await copy.measure(test, []);
        if (!run.passed) run = await copy.measure(test, []);
        const leftOut = run.failed;
        for (const failed of leftOut) console.log(`left out, since it fails without a mutant: ${failed}`);
        if (!run.passed) run = await copy.measure(test, leftOut);
        const { passed, seconds, failure, executed } = run;
        const mutants = copy.mutants.filter(({ id }) => executed.has(id));
        this.#keep(test, passed ? this.#measuredNow(test, { seconds, leftOut }, mutants) : undefined);
        console.log(passed ? `${test} takes ${seconds} s` : `${test} fails without a mutant: ${failure}`);
      }
    };
    await Promise.all(copies.map(measureNext));
  }

  #measuredNow(
    test: string,
    run: Pick<Measured, 'seconds' | 'leftOut'>,
    executed: readonly Mutant[],
  ): Measured {
    const byFile = Map.groupBy(executed, ({ file }) => file);
    const executes = [...byFile].map(([file, mutants]) => {
      const numbers = mutants.map((mutant) => this.#numberOf(mutant));
      return [file, { version: this.#versionOf(file), numbers }] as const;
    });
    return { version: this.#versionOf(test), ...run, executes: Object.fromEntries(executes) };
  }

  #keep(test: string, measured: Measured | undefined): void {
    if (measured) this.#measured[test] = measured;
    else delete this.#measured[test];
    mkdirSync(dirname(kept), { recursive: true });
    writeFileSync(kept, JSON.stringify(this.#measured));
  }

  /**
   * The tests that execute a mutant: those of the mutant's folder first, then the fastest first, those of fleets last. If
   * its file has changed since a test was measured, the test counts when it executes the file.
   */
  testsOf(mutant: Mutant): Covering[] {
    const covering = this.#tests.flatMap((test) => {
      const { seconds = 0, leftOut = [], executes = {} } = this.#measured[test] ?? {};
      const ofFile = executes[mutant.file];
      if (!ofFile) return [];
      const hasChanged = ofFile.version !== this.#versionOf(mutant.file);
      return hasChanged || ofFile.numbers.includes(this.#numberOf(mutant)) ? { test, seconds, leftOut } : [];
    });
    const distance = ({ test }: Covering) => {
      if (test.startsWith('test/fleet/')) return 2;
      return mutant.file.startsWith(`${dirname(test).replace('test/', 'src/')}/`) ? 0 : 1;
    };
    return covering.sort((a, b) => distance(a) - distance(b) || a.seconds - b.seconds);
  }

  #numberOf({ file, id }: Mutant): number {
    return id - (this.#firstIds.get(file) as number);
  }

  #versionOf(file: string): string {
    return this.#versions.getOrInsertComputed(file, () =>
      createHash('sha256')
        .update(readFileSync(resolve(root, file)))
        .digest('base64url')
        .slice(0, 12),
    );
  }
}

function testFiles(): string[] {
  return globSync('test/**/*.test.ts', { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !withoutMutants.includes(file.split('/')[1] as string))
    .sort();
}
