/** The mechanisms that are there only for speed, and the change of the source's text that switches each one off. */
export interface Mechanism {
  readonly name: string;
  readonly label: string;
  /** The workloads in which it takes part. */
  readonly workloads: readonly string[];
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

export const mechanisms: readonly Mechanism[] = [
  {
    name: 'without-executor',
    label: 'planned executor',
    workloads: ['W1', 'W2', 'W5b', 'W7'],
    file: 'src/operation/executor/planned-executor.ts',
    before: 'const plan = isPlannable ? planOf(args) : undefined;',
    after: 'const plan = isPlannable && args === undefined ? planOf(args) : undefined;',
  },
  {
    name: 'without-json-road',
    label: 'JSON responses without Yoga',
    workloads: ['W1', 'W2'],
    file: 'src/http/graphql/json.ts',
    before: 'if (result instanceof SubscriptionResults) return result;',
    after: 'return Object.assign(result, { stop() {} });',
  },
  {
    name: 'without-shared-events',
    label: 'events executed once for all subscribers',
    workloads: ['W7'],
    file: 'src/operation/subscription.ts',
    before: [
      '  if (results.size === 0) setImmediate(() => results.clear());',
      '  return results',
      '    .getOrInsertComputed(event, () => new Map())',
    ].join('\n'),
    after: '  return new Map<Selection, Result>()',
  },
  {
    name: 'without-log-batches',
    label: 'log lines written in batches',
    workloads: ['W1', 'W2'],
    file: 'src/telemetry/log-output.ts',
    before: 'minLength: 32 * 1024,',
    after: 'minLength: 0,',
  },
  {
    name: 'without-connection-lanes',
    label: 'one lane per connection',
    workloads: ['W1'],
    file: 'src/http/connection-lanes.ts',
    before: '    previous.set(request.socket, identity);',
    after: '',
  },
  {
    name: 'without-counted-once',
    label: 'cost counted once for each document',
    workloads: ['W1', 'W2'],
    file: 'src/operation/cost.ts',
    before: '  if (!counter.dependsOnVariables) countedOnce.set(operation.operation, counted);',
    after: '',
  },
  {
    name: 'without-plain-csv',
    label: 'reader of plain CSV',
    workloads: ['W5b'],
    file: 'src/features/document-export/csv.ts',
    before: 'readPlainCsv(csv, maxRows + 2) ?? parseCsv',
    after: '(csv === undefined ? readPlainCsv(csv, maxRows + 2) : undefined) ?? parseCsv',
  },
];
