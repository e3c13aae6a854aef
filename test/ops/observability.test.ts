import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { boundNames } from '../../src/bound-names.ts';
import { errorCodes } from '../../src/errors.ts';
import { createMetrics, gauges } from '../../src/telemetry/metrics.ts';
import { startTestGateway } from '../support/gateway.ts';
import { forFile, temporaryFolder } from '../support/lifetimes.ts';

const dashboard = JSON.parse(readFileSync('ops/grafana.json', 'utf8'));
const panels: any[] = dashboard.panels;
const charts = panels.filter(({ type }) => type !== 'row');
const { groups } = parse(readFileSync('ops/alerts.yaml', 'utf8'));
const rules: any[] = groups.flatMap(({ rules }: any) => rules);
const queries: string[] = charts.flatMap(({ targets }) => targets.map(({ expr }: any) => expr));
const expressions: string[] = [...queries, ...rules.map(({ expr }) => expr)];

const gateway = forFile(await startTestGateway());
await gateway.ask('mutation { createGroup(input: {}) { __typename } }');
const metrics = await (await fetch(`${gateway.origin}/metrics`)).text();
/** The types of the gateway's metrics by name, after a call to the service. */
const types = new Map(
  [...metrics.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type]) => [name, type]),
);
/** The labels of each metric, also of one without a sample. */
const labelsOf = new Map([
  ...Object.entries(gauges).map(([name, gauge]): [string, readonly string[]] => [
    name,
    'label' in gauge ? [gauge.label] : [],
  ]),
  ...createMetrics('')
    .registered()
    .map(({ name, labelNames }): [string, readonly string[]] => [name, labelNames]),
]);

/** The metrics in an expression, a histogram by its registered name. */
function metricsIn(expr: string): string[] {
  const names = expr.match(/\b(?:folio|nodejs|process)_\w+/g) ?? [];
  return names.map((name) => {
    const histogram = name.replace(/_(?:bucket|sum|count)$/, '');
    return types.get(histogram) === 'histogram' ? histogram : name;
  });
}

interface Used {
  readonly metric: string;
  readonly label: string;
}

/** The labels by which metrics in an expression are selected, or by which the first metric after `by` or `on` is grouped. */
function labelsIn(expr: string): Used[] {
  const selected = [...expr.matchAll(/(\b[a-z]\w+)\{([^}]*)\}/g)].flatMap(([, name = '', matchers = '']) =>
    [...matchers.matchAll(/(\w+)(?:=~|!~|!=|=)"/g)].map(([, label]) => [name, label]),
  );
  const grouped = [...expr.matchAll(/\b(?:by|on) \(([^)]+)\)/g)].flatMap(({ index, 1: list = '' }) => {
    const name = /\b(?:folio|nodejs|process)_\w+/.exec(expr.slice(index))?.[0];
    return list.split(/,\s*/).map((label) => [name, label]);
  });
  return [...selected, ...grouped].map(([name = '', label = '']) => ({
    metric: metricsIn(name)[0] ?? name,
    label,
  }));
}

describe('the dashboard and the alerts', () => {
  it('use only metrics that the gateway has', () => {
    const used = expressions.flatMap(metricsIn);
    expect(used.filter((name) => !types.has(name))).toEqual([]);
    // Only a histogram may have the suffix of one.
    expect(used.filter((name) => /_(?:bucket|sum|count)$/.test(name))).toEqual([]);
  });

  it('select and group each metric only by labels that it has, or that Prometheus adds', () => {
    const used = expressions.flatMap(labelsIn);
    expect(used.length).toBeGreaterThan(150);
    const isKnown = ({ metric, label }: Used) =>
      ['job', 'instance'].includes(label) ||
      (label === 'le' && types.get(metric) === 'histogram') ||
      labelsOf.get(metric)?.includes(label);
    expect(used.filter((each) => !isKnown(each))).toEqual([]);
  });

  it('name only bounds and outcomes that exist', () => {
    const values = new Map<string, readonly string[]>([
      ['bound', boundNames],
      ['outcome', [...errorCodes, 'ok', 'caller_left']],
    ]);
    const named = expressions.flatMap((expr) => [
      ...expr.matchAll(/\b(bound|outcome)(?:=~|!~|!=|=)"([^"]+)"/g),
    ]);
    expect(named.length).toBeGreaterThan(10);
    for (const [, label = '', value = ''] of named) {
      // The alternatives outside of parentheses. Prometheus anchors each.
      for (const alternative of value.split(/\|(?![^(]*\))/)) {
        const form = new RegExp(`^(?:${alternative})$`);
        expect(
          values.get(label)?.some((known) => form.test(known)),
          alternative,
        ).toBe(true);
      }
    }
  });
});

describe('the quantiles of durations', () => {
  /** The limits of the buckets of each histogram, in seconds. */
  const limitsOf = Map.groupBy(
    metrics
      .matchAll(/^(folio_\w+)_bucket\{le="([\d.]+)"/gm)
      .map(([, name = '', limit]) => ({ name, limit: Number(limit) })),
    ({ name }) => name,
  );

  it('are at most five times the durations, from 10 ms to two minutes', () => {
    expect(limitsOf.size).toBeGreaterThan(3);
    for (const [name, buckets] of limitsOf) {
      const limits = buckets.map(({ limit }) => limit);
      expect(limits[0], name).toBeLessThanOrEqual(0.01);
      expect(limits.at(-1), name).toBeGreaterThanOrEqual(120);
      for (const [index, limit] of limits.slice(1).entries()) {
        const times = limit / (limits[index] as number);
        expect(times, `${name} ${limit}`).toBeGreaterThan(1);
        expect(times, `${name} ${limit}`).toBeLessThanOrEqual(5);
      }
    }
  });

  it('are counted with the bucket of one limit, however Prometheus writes it', () => {
    const counted = expressions.flatMap((expr) => [
      ...expr.matchAll(/\b(folio_\w+)_bucket\{[^}]*\ble=~"([^"]+)"/g),
    ]);
    expect(counted.length).toBeGreaterThan(0);
    for (const [, name, pattern] of counted) {
      const form = new RegExp(`^(?:${pattern})$`);
      const limits = limitsOf.get(name as string)?.map(({ limit }) => `${limit}`) ?? [];
      const written = (limit: string) => [limit, limit.includes('.') ? limit : `${limit}.0`];
      expect(limits.filter((limit) => written(limit).every((text) => form.test(text))).length, pattern).toBe(
        1,
      );
      expect(limits.flatMap(written).filter((text) => form.test(text)).length, pattern).toBe(2);
    }
  });

  it('are exact at the thresholds of the alerts', () => {
    const thresholds = rules.flatMap(({ expr }) => [
      ...expr.matchAll(/histogram_quantile\([^>]*\b(folio_\w+)_bucket[^>]*> (\d+)$/gm),
    ]);
    expect(thresholds.length).toBeGreaterThan(2);
    for (const [, name, threshold] of thresholds)
      expect(
        limitsOf.get(name)?.map(({ limit }) => limit),
        name,
      ).toContain(Number(threshold));
  });
});

describe('the dashboard', () => {
  it('shows every metric that starts with folio_', () => {
    const shown = new Set(queries.flatMap(metricsIn));
    const own = [...types.keys()].filter((name) => name.startsWith('folio_'));
    expect(own.length).toBeGreaterThan(15);
    expect(own.filter((name) => !shown.has(name))).toEqual([]);
  });

  it('has a description, a unit and the selected data source for every panel', () => {
    for (const { title, description, datasource, fieldConfig, targets } of charts) {
      expect(description, title).toMatch(/\.$/);
      expect(fieldConfig.defaults.unit, title).toBeTruthy();
      expect(datasource.uid, title).toMatch(/^\$\{datasource\}$/);
      expect(targets.length, title).toBeGreaterThan(0);
    }
    expect(dashboard.templating.list.map(({ name }: { name: string }) => name)).toContain('datasource');
  });

  it('shows the processes of no other job, whichever jobs are chosen', () => {
    const job = dashboard.templating.list.find(({ name }: { name: string }) => name === 'job');
    expect(job.query.query).toBe('label_values(folio_build_info, job)');
    // With a value of its own "All" would be every job of Prometheus. Without one it is the listed jobs.
    expect(job).not.toHaveProperty('allValue');
    for (const query of queries) expect(query).toContain('job=~"$job"');
  });
});

describe('the alerts', () => {
  it('each have a severity, a summary and a description', () => {
    const texts = { summary: expect.stringMatching(/\w/), description: expect.stringMatching(/\w/) };
    for (const { alert, labels, annotations } of rules) {
      expect(['critical', 'warning'], alert).toContain(labels.severity);
      expect(annotations, alert).toMatchObject(texts);
    }
  });

  it('each have a test in which they fire', () => {
    const tests = ['alerts', 'incidents'].map((name) => readFileSync(`ops/${name}.test.yaml`, 'utf8')).join();
    for (const { alert } of rules) expect(tests).toContain(`alertname="${alert}"`);
  });

  it('each have a section in the runbook, to which their runbook_url leads, and no section is left over', () => {
    const sections = readFileSync('docs/runbook.md', 'utf8').match(/(?<=^### )Folio\w+$/gm) ?? [];
    expect(sections.toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted());
    for (const { alert, annotations } of rules)
      expect(annotations.runbook_url).toBe(`docs/runbook.md#${alert.toLowerCase()}`);
  });
});

/** Whether promtool, the checker of Prometheus, can run. With `FOLIO_REQUIRE_PROMTOOL`, a missing one is a failure. */
function hasPromtool(): boolean {
  if (spawnSync('promtool', ['--version']).status === 0 || process.env['FOLIO_REQUIRE_PROMTOOL']) return true;
  console.warn('Tests of the alerts are skipped: promtool is not on the PATH (Debian: prometheus).');
  return false;
}

/** Returns the output of promtool. Throws it when promtool fails. */
function promtool(...parameters: string[]): string {
  const { status, stdout, stderr, error } = spawnSync('promtool', parameters, { encoding: 'utf8' });
  if (status !== 0) throw error ?? new Error(stdout + stderr);
  return stdout;
}

describe.skipIf(!hasPromtool())('promtool accepts', () => {
  it('the alerts and their tests', () => {
    expect(promtool('check', 'rules', 'ops/alerts.yaml')).toContain(`${rules.length} rules found`);
    promtool('test', 'rules', 'ops/alerts.test.yaml');
  });

  it('the incidents, each of which fires its alert within two minutes', () => {
    promtool('test', 'rules', 'ops/incidents.test.yaml');
  });

  it('the configuration of Prometheus', () => {
    expect(promtool('check', 'config', 'ops/prometheus.yaml')).toContain('1 rule files found');
  });

  it('every query of the dashboard', () => {
    const file = join(temporaryFolder(), 'queries.json');
    const expressions = queries.map((query) => query.replaceAll('$__rate_interval', '1m'));
    const recorded = expressions.map((expr, index) => ({ record: `query_${index}`, expr }));
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules: recorded }] }));
    expect(promtool('check', 'rules', file)).toContain(`${queries.length} rules found`);
  });
});
