import { defineConfig } from 'vitest/config';

export default defineConfig({
  // One graphql realm: Vite would otherwise resolve `graphql` in our files to its development build,
  // while Yoga and Pothos get the production one from Node.
  ssr: { resolve: { conditions: ['module-sync', 'node', 'import', 'default'] } },
  test: { include: ['test/**/*.test.ts'], pool: 'forks', maxWorkers: 2, testTimeout: 15_000 },
});
