import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

/** Where the gate wants the results as JSON, in addition to what is printed. */
const report = process.env.FOLIO_TEST_REPORT;

/**
 * Test files that replace modules or timers, or measure the heap: each runs in a process of its own, because modules,
 * timers and memory of other files would change their results.
 */
const alone = globSync('test/**/*.test.ts').filter((file) =>
  /vi\.mock\(|useFakeTimers\(|expose-gc/.test(readFileSync(file, 'utf8')),
);

export default defineConfig({
  // One graphql realm: Vite would otherwise resolve `graphql` in our files to its development build,
  // while Yoga and Pothos get the production one from Node.
  ssr: { resolve: { conditions: ['module-sync', 'node', 'import', 'default'] } },
  test: {
    pool: 'forks',
    maxWorkers: 3,
    testTimeout: 15_000,
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
    projects: [
      // Two processes run all other files and import Folio and its packages once, which saves a third of the time.
      {
        extends: true,
        test: { name: 'shared', include: ['test/**/*.test.ts'], exclude: alone, isolate: false },
      },
      { extends: true, test: { name: 'alone', include: alone } },
    ],
  },
});
