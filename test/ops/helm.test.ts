/** The Helm chart and the optional parts of the kustomization, rendered and checked against their APIs. */
import { readdirSync, readFileSync } from 'node:fs';
import { parse as renderGoTemplate } from '@evertdespiegeleer/go-template';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import packageJson from '../../package.json' with { type: 'json' };
import {
  componentManifests,
  kustomization,
  type Manifest,
  manifests,
  manifestsIn,
  unknownMembers,
} from '../support/kubernetes.ts';

const templates = readdirSync('ops/helm/templates').map((file) =>
  readFileSync(`ops/helm/templates/${file}`, 'utf8'),
);
const values = parse(readFileSync('ops/helm/values.yaml', 'utf8'));
/** All optional parts. */
const everything = {
  gatewayApi: { ...values.gatewayApi, enabled: true },
  monitoring: { enabled: true },
};
const chart = parse(readFileSync('ops/helm/Chart.yaml', 'utf8'));

/** Renders the chart with Go's own template engine: the templates use no function that Helm adds. */
async function render(changes: object = {}): Promise<readonly Manifest[]> {
  const texts = await Promise.all(
    templates.map((text) => renderGoTemplate(text, { Values: { ...values, ...changes } })),
  );
  return texts.flatMap((text) => manifestsIn(text));
}

const byName = (list: readonly Manifest[]) =>
  Object.fromEntries(list.map((manifest) => [`${manifest.kind} ${manifest.metadata.name}`, manifest]));

let rendered: readonly Manifest[];
beforeAll(async () => {
  rendered = await render(everything);
});

describe('the Helm chart', () => {
  it('has the version of the gateway', () => {
    expect([chart.version, chart.appVersion, values.image.tag]).toEqual(Array(3).fill(packageJson.version));
  });

  it('renders manifests that match the schemas of their APIs', () => {
    expect(rendered).toHaveLength(10);
    for (const manifest of rendered) expect(unknownMembers(manifest), manifest.kind).toEqual([]);
  });

  it('renders with all optional parts what the kustomization applies with all its components', () => {
    const [{ name: image, newTag }] = kustomization.images;
    const [literal] = kustomization.configMapGenerator[0].literals;
    const applied = byName([
      ...manifests,
      ...componentManifests('gateway-api'),
      ...componentManifests('monitoring'),
    ]);
    const { 'Deployment folio': deployment, 'HorizontalPodAutoscaler folio': scaler, ...others } = applied;
    const {
      'Deployment folio': ofChart,
      'HorizontalPodAutoscaler folio': scalerOfChart,
      ...othersOfChart
    } = byName(rendered);
    expect(othersOfChart).toEqual({
      ...others,
      'ConfigMap folio': expect.objectContaining({ data: { UPSTREAM_URL: literal.split(/=(.*)/)[1] } }),
    });
    const tagged = JSON.parse(
      JSON.stringify(deployment).replace('"image":"folio"', `"image":"${image}:${newTag}"`),
    );
    expect(ofChart).toEqual(tagged);
    const patch = parse(readFileSync('ops/kubernetes/monitoring/horizontal-pod-autoscaler.yaml', 'utf8'));
    expect(scalerOfChart).toEqual({ ...scaler, spec: { ...scaler?.spec, ...patch.spec } });
  });

  it('sets image, variables, numbers and names from the values', async () => {
    const changed = byName(
      await render({
        image: { name: 'registry.example/folio', tag: '9.9.9' },
        config: { UPSTREAM_URL: 'https://other.example', LOG_LEVEL: 'warn' },
        replicas: { min: 5, max: 50 },
        secretName: 'other',
      }),
    );
    expect(changed['ConfigMap folio']).toMatchObject({
      data: { UPSTREAM_URL: 'https://other.example', LOG_LEVEL: 'warn' },
    });
    const container = changed['Deployment folio']?.spec.template.spec.containers[0];
    expect(container.image).toBe('registry.example/folio:9.9.9');
    expect(JSON.stringify(container.env)).toContain('"name":"other","key":"REDIS_URL"');
    expect(changed['HorizontalPodAutoscaler folio']?.spec).toMatchObject({ minReplicas: 5, maxReplicas: 50 });
  });

  it('leaves out what a cluster does not have', async () => {
    const off = { enabled: false };
    const kinds = (await render({ monitoring: off, gatewayApi: off, networkPolicy: off })).map(
      ({ kind }) => kind,
    );
    expect(kinds.toSorted()).toEqual([
      'ConfigMap',
      'Deployment',
      'HorizontalPodAutoscaler',
      'PodDisruptionBudget',
      'Service',
      'Service',
    ]);
  });
});

describe('the components of the kustomization', () => {
  it('match the schemas of their APIs', () => {
    const all = ['gateway-api', 'monitoring'].flatMap(componentManifests);
    expect(all.map(({ kind }) => kind).toSorted()).toEqual(['HTTPRoute', 'PrometheusRule', 'ServiceMonitor']);
    for (const manifest of all) expect(unknownMembers(manifest), manifest.kind).toEqual([]);
  });

  it('repeat no request, and set no time limit for streams and one above an upload for the others', () => {
    const [route] = componentManifests('gateway-api');
    const rules = route?.spec.rules;
    expect(JSON.stringify(rules)).not.toContain('retry');
    expect(rules.map(({ timeouts }: any) => timeouts.request)).toEqual(['0s', '300s']);
    expect(JSON.stringify(rules[0].matches)).toMatch(/websocket.*event-stream/);
  });

  it('have the alerts of ops/alerts.yaml, in the chart too', () => {
    const { groups } = parse(readFileSync('ops/alerts.yaml', 'utf8'));
    const rules = [...componentManifests('monitoring'), ...rendered].filter(
      ({ kind }) => kind === 'PrometheusRule',
    );
    expect(rules.map(({ spec }) => spec)).toEqual([{ groups }, { groups }]);
  });
});
