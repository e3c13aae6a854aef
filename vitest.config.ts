import { defineConfig } from 'vitest/config';

/** Where the gate wants the results as JSON, beside what is printed. */
const report = process.env.FOLIO_TEST_REPORT;

export default defineConfig({
  // One graphql realm: Vite would otherwise resolve `graphql` in our files to its development build,
  // while Yoga and Pothos get the production one from Node.
  ssr: { resolve: { conditions: ['module-sync', 'node', 'import', 'default'] } },
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 15_000,
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
  },
});
