/** The Helm chart and the optional parts of the kustomization, rendered and checked against their APIs. */
import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse as renderGoTemplate } from '@evertdespiegeleer/go-template';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import packageJson from '../../package.json' with { type: 'json' };
import { startTestGateway } from '../support/gateway.ts';
import { applied, components, type Manifest, manifestsIn, unknownMembers } from '../support/kubernetes.ts';
import { forTest, temporaryFolder } from '../support/lifetimes.ts';

const templates = readdirSync('ops/helm/templates').map((file) =>
  readFileSync(`ops/helm/templates/${file}`, 'utf8'),
);
const values = parse(readFileSync('ops/helm/values.yaml', 'utf8'));
/** All optional parts. */
const everything = { gatewayApi: { ...values.gatewayApi, enabled: true }, monitoring: { enabled: true } };
const chart = parse(readFileSync('ops/helm/Chart.yaml', 'utf8'));

/** Renders the chart with Go's own template engine: the templates use no function that Helm adds. */
async function render(changes: object = {}): Promise<readonly Manifest[]> {
  const texts = await Promise.all(
    templates.map((text) => renderGoTemplate(text, { Values: { ...values, ...changes } })),
  );
  return texts.flatMap((text) => manifestsIn(text));
}

/** No component, each alone, and all. */
const choices = [[], ...components.map((name) => [name]), components].map((enabled) => ({ enabled }));

const byName = (list: readonly Manifest[]) =>
  Object.fromEntries(list.map((manifest) => [`${manifest.kind} ${manifest.metadata.name}`, manifest]));

/** Without the annotation, which only the chart has: the ConfigMap of the kustomization has a hash in its name instead. */
const withoutConfig = (list: readonly Manifest[]): readonly Manifest[] =>
  JSON.parse(JSON.stringify(list, (_name, value) => (value?.['folio/config'] ? undefined : value)));

const rendered = await render(everything);

describe('the Helm chart', () => {
  it('has the version of the gateway', () => {
    expect([chart.version, chart.appVersion, values.image.tag]).toEqual(Array(3).fill(packageJson.version));
  });

  it('renders what the kustomization applies, with all optional parts and without', async () => {
    expect(byName(withoutConfig(rendered))).toEqual(byName(applied()));
    expect(byName(withoutConfig(await render()))).toEqual(byName(applied([])));
  });

  it('can be installed in managed clusters, whose versions have a suffix', () => {
    expect(chart.kubeVersion).toMatch(/^>=\d+\.\d+\.\d+-0$/);
  });

  it('restarts the gateways when a variable changes, and only then', async () => {
    const podOf = async (config: object, others = {}) =>
      byName(await render({ config, ...others }))['Deployment folio']?.spec.template;
    const before = await podOf({ UPSTREAM_URL: 'https://a.example', LOG_LEVEL: 'info' });
    const replicas = { min: 4, max: 9 };
    expect(await podOf({ LOG_LEVEL: 'info', UPSTREAM_URL: 'https://a.example' }, { replicas })).toEqual(
      before,
    );
    expect(await podOf({ UPSTREAM_URL: 'https://a.example', LOG_LEVEL: 'warn' })).not.toEqual(before);
  });

  it('sets image, variables, numbers and names from the values', async () => {
    const config = { UPSTREAM_URL: 'https://other.example', LOG_LEVEL: 'warn' };
    const image = { name: 'registry.example/folio', tag: '9.9.9' };
    const replicas = { min: 5, max: 50 };
    const changed = byName(await render({ image, config, replicas, secretName: 'other' }));
    expect(changed['ConfigMap folio']).toMatchObject({ data: config });
    const container = changed['Deployment folio']?.spec.template.spec.containers[0];
    expect(container.image).toBe('registry.example/folio:9.9.9');
    expect(JSON.stringify(container.env)).toContain('"name":"other","key":"REDIS_URL"');
    expect(changed['HorizontalPodAutoscaler folio']?.spec).toMatchObject({ minReplicas: 5, maxReplicas: 50 });
  });

  it('sets variables that are numbers or booleans in the values', async () => {
    const config = { UPSTREAM_CONNECTIONS: 64, RATE_LIMIT_PER_MINUTE: 100_000, GRAPHIQL: false };
    const data = { UPSTREAM_CONNECTIONS: '64', RATE_LIMIT_PER_MINUTE: '100000', GRAPHIQL: 'false' };
    expect(byName(await render({ config }))['ConfigMap folio']).toMatchObject({ data });
  });

  it('leaves out what a cluster does not have', async () => {
    const off = { enabled: false };
    const manifests = await render({ monitoring: off, gatewayApi: off, networkPolicy: off });
    expect(manifests.map(({ kind }) => kind).toSorted()).toEqual([
      ...['ConfigMap', 'Deployment', 'HorizontalPodAutoscaler', 'PodDisruptionBudget', 'Service', 'Service'],
    ]);
  });
});

describe('the components of the kustomization', () => {
  const all = byName(applied());

  it.each(choices)(
    '$enabled render manifests that match the schemas of their APIs, and no two of one name',
    ({ enabled }) => {
      const manifests = applied(enabled);
      for (const manifest of manifests) expect(unknownMembers(manifest), manifest.kind).toEqual([]);
      expect(Object.keys(byName(manifests))).toHaveLength(manifests.length);
    },
  );

  it('name a service, ports, labels and a metric that exist', async () => {
    const { 'Service folio': service, 'Service folio-metrics': scraped } = all;
    const backends = all['HTTPRoute folio']?.spec.rules.flatMap(({ backendRefs }: any) => backendRefs);
    expect(new Set(backends.map(({ name, port }: any) => `${name}:${port}`))).toEqual(
      new Set([`${service?.metadata.name}:${service?.spec.ports[0].port}`]),
    );
    const { selector, endpoints, jobLabel } = all['ServiceMonitor folio']?.spec ?? {};
    expect(scraped?.metadata.labels).toMatchObject(selector.matchLabels);
    expect(scraped?.metadata.labels?.[jobLabel]).toBe('folio');
    expect(service?.metadata.labels, 'is not scraped').toBeUndefined();
    expect(endpoints[0].port).toBe(scraped?.spec.ports[0].name);
    const gateway = forTest(await startTestGateway());
    const metrics = await (await fetch(`${gateway.origin}/metrics`)).text();
    const comments = readFileSync('ops/kubernetes/monitoring/horizontal-pod-autoscaler.yaml', 'utf8');
    for (const { pods } of all['HorizontalPodAutoscaler folio']?.spec.metrics.slice(1) ?? []) {
      const { name } = pods.metric;
      const query = new RegExp(`^#   ${name} +(.*)$`, 'm').exec(comments)?.[1];
      const [metric = ''] = query?.match(/folio_\w+/) ?? [];
      expect(metrics).toContain(`# TYPE ${metric.replace(/_bucket$/, '')} `);
    }
  });

  it('keep the numbers of gateways and the pace of scaling of the manifest that they patch', () => {
    const { metrics: before, ...kept } = byName(applied([]))['HorizontalPodAutoscaler folio']?.spec ?? {};
    const { metrics: after, ...patched } = all['HorizontalPodAutoscaler folio']?.spec ?? {};
    expect(patched).toEqual(kept);
    expect(after).toEqual(expect.arrayContaining(before));
  });

  it('repeat no request, and set no time limit for streams and one above an upload for the others', () => {
    const rules = all['HTTPRoute folio']?.spec.rules;
    expect(JSON.stringify(rules)).not.toContain('retry');
    expect(rules.map(({ timeouts }: any) => timeouts.request)).toEqual(['0s', '300s']);
    expect(JSON.stringify(rules[0].matches)).toMatch(/websocket.*event-stream/);
  });
});

describe.skipIf(spawnSync('kubectl', ['version', '--client']).status !== 0)('kubectl', () => {
  it.each(choices)(
    'renders the kustomization with the components $enabled as the tests do',
    ({ enabled }) => {
      const folder = temporaryFolder();
      cpSync('ops/kubernetes', folder, { recursive: true });
      appendFileSync(join(folder, 'kustomization.yaml'), `\ncomponents: ${JSON.stringify(enabled)}\n`);
      const { stdout, stderr } = spawnSync('kubectl', ['kustomize', folder], { encoding: 'utf8' });
      expect(stderr).toBe('');
      const [hashed = ''] = /folio-\w{10}\b/.exec(stdout) ?? [];
      expect(byName(manifestsIn(stdout.replaceAll(hashed, 'folio')))).toEqual(byName(applied(enabled)));
    },
  );
});
