import { basename, resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The processes of the tests load what an earlier run has compiled. */
process.env.NODE_COMPILE_CACHE ??= resolve('node_modules/.cache/compiled');

/** Where the gate wants the results as JSON, in addition to what is printed. */
const report = process.env.FOLIO_TEST_REPORT;

/** Replace modules or the timers of requests, count all timers, or measure the heap: each runs in a process of its own. */
const isolated = 'test/**/*.isolated.test.ts';

/** Start browsers, Redis servers, nginx or gateways as processes. They run after the others, which need all of the CPU. */
const processes = 'test/{clients,fleet,pages,process,state}/**/*.test.ts';

/** They take minutes where a browser and Redis are installed, and the last ones longer than their length suggests. */
const longest = [
  ...['example-web', 'fleet', 'redis-failover', 'browser', 'overload', 'fuzz', 'expected-simulation'],
  ...['idle-connections', 'half-sent-requests', 'cut-requests', 'codegen'],
  ...['handler-fuzz', 'response-framing', 'drain', 'contributing', 'memory-budgets', 'process'],
];

/**
 * Starts the longest files of a project first. Vitest starts large files first, so that one of them would run alone at the
 * end. The files of a project follow each other: between those of two projects a process would begin anew.
 */
class LongestFirst extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(specifications);
    const isLong = ({ moduleId }: TestSpecification) => longest.includes(basename(moduleId, '.test.ts'));
    const longestFirst = [...sorted.filter(isLong), ...sorted.filter((each) => !isLong(each))];
    const ranks = ['isolated', 'shared', 'processes'];
    const rankOf = ({ project }: TestSpecification) => ranks.indexOf(project.name);
    return longestFirst.sort((one, other) => rankOf(one) - rankOf(other));
  }
}

export default defineConfig({
  // One graphql realm: Vite would otherwise resolve `graphql` in our files to its development build,
  // while Yoga and Pothos get the production one from Node.
  // The example's texts name a header of the package, which is not installed in a fresh clone.
  resolve: { alias: { '@folio/client': resolve('packages/client/src/index.ts') } },
  ssr: { resolve: { conditions: ['module-sync', 'node', 'import', 'default'] } },
  test: {
    pool: 'forks',
    maxWorkers: 4,
    // They end what hangs. No test may depend on them: a busy machine can be ten times as slow as an idle one.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // In the gate, which lists what failed once. Files whose claim must hold at all times set it to 0.
    retry: Number(process.env.FOLIO_TEST_RETRIES ?? 0),
    expect: { poll: { timeout: 60_000, interval: 20 } },
    // Not `setImmediate`: tests that share a process share what the gateway has scheduled with it.
    fakeTimers: {
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
    },
    sequence: { sequencer: LongestFirst },
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
    projects: [
      // These processes import Folio and its packages once, which saves a third of the time.
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: [isolated, processes],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'processes',
          globalSetup: 'test/support/bundle.ts',
          include: [processes],
          exclude: [isolated],
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
      { extends: true, test: { name: 'isolated', include: [isolated] } },
    ],
  },
});
