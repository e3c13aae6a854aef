import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Where the gate wants the results as JSON, in addition to what is printed. */
const report = process.env.FOLIO_TEST_REPORT;

/** Test files by what they do, and so by what they must not share a process with. */
const files = globSync('test/**/*.test.ts').map((file) => ({ file, text: readFileSync(file, 'utf8') }));

/** Replace modules, measure the heap, or replace timers around a gateway: each runs in a process of its own. */
const alone = filesWith((text) => /vi\.mock\(|expose-gc|useFakeTimers\(/.test(text) && !isOfTimersOnly(text));

/** Replace timers and open no socket: they share a process, but none with timers of a gateway. */
const timers = filesWith(isOfTimersOnly);

/**
 * Start browsers, Redis servers or nginx, and gateways as processes. With three files at a time these processes would
 * compete for two cores until they exceed their time limits.
 */
const processes = filesWith((text) => /has(Browser|Redis|Nginx)\(/.test(text)).filter(
  (file) => !alone.includes(file) && !timers.includes(file),
);

function filesWith(matches: (text: string) => boolean): string[] {
  return files.filter(({ text }) => matches(text)).map(({ file }) => file);
}

function isOfTimersOnly(text: string): boolean {
  return /useFakeTimers\(/.test(text) && !/vi\.mock\(|expose-gc|startTestGateway|startService/.test(text);
}

/** They take minutes where a browser and Redis are installed. */
const longest = /\/(example-web|fleet|redis-failover|browser)\.test\.ts$/;

/** Starts the longest files first. Vitest starts large files first, so that one of them would run alone at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(specifications);
    const isLong = ({ moduleId }: TestSpecification) => longest.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((specification) => !isLong(specification))];
  }
}

export default defineConfig({
  // One graphql realm: Vite would otherwise resolve `graphql` in our files to its development build,
  // while Yoga and Pothos get the production one from Node.
  ssr: { resolve: { conditions: ['module-sync', 'node', 'import', 'default'] } },
  test: {
    pool: 'forks',
    maxWorkers: 3,
    testTimeout: 15_000,
    hookTimeout: 60_000,
    sequence: { sequencer: LongestFirst },
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
    projects: [
      // These processes import Folio and its packages once, which saves a third of the time.
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: [...alone, ...timers, ...processes],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'processes',
          include: processes,
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      { extends: true, test: { name: 'timers', include: timers, isolate: false } },
      { extends: true, test: { name: 'alone', include: alone } },
    ],
  },
});
