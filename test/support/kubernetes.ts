/** The manifests of ops/kubernetes, checked against the Kubernetes API. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HTTPRoute } from '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1/HTTPRoute';
import { PrometheusRule } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PrometheusRule';
import { ServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { Service } from 'kubernetes-models/v1/Service';
import { parse, parseAllDocuments } from 'yaml';

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: Record<string, string> };
  readonly spec: any;
}

const folder = 'ops/kubernetes';
const models = [
  ConfigMap,
  Deployment,
  HorizontalPodAutoscaler,
  HTTPRoute,
  NetworkPolicy,
  PodDisruptionBudget,
  PrometheusRule,
  Service,
  ServiceMonitor,
];

export const kustomization = parse(readFileSync(join(folder, 'kustomization.yaml'), 'utf8'));

export const manifestFiles: readonly string[] = readdirSync(folder).filter(
  (file) => file !== 'kustomization.yaml' && file.endsWith('.yaml'),
);

export const manifests: readonly Manifest[] = manifestFiles.flatMap((file) =>
  manifestsIn(readFileSync(join(folder, file), 'utf8')),
);

/** The components of the kustomization, each a folder. */
export const components: readonly string[] = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/**
 * The manifests that the kustomization applies with these components: with their patches, the tag of the image, and the
 * generated ConfigMap, whose name here has no hash. A member of a kustomization that this does not apply is an error.
 */
export function applied(enabled: readonly string[] = components): readonly Manifest[] {
  const { apiVersion, kind, resources, images, configMapGenerator, ...rest } = kustomization;
  if (Object.keys(rest).length > 0) throw new Error(`Not rendered: ${Object.keys(rest)}`);
  const base = [...configMapGenerator.map(configMapOf), ...resourcesIn(folder, resources)];
  return enabled.reduce(withComponent, base).map((manifest) => withTags(manifest, images));
}

function withComponent(manifests: readonly Manifest[], name: string): readonly Manifest[] {
  const place = join(folder, name);
  const component = parse(readFileSync(join(place, 'kustomization.yaml'), 'utf8'));
  const { apiVersion, kind, resources = [], patches = [], ...rest } = component;
  if (kind !== 'Component' || Object.keys(rest).length > 0) throw new Error(`Not rendered: ${place}`);
  const all = [...manifests, ...resourcesIn(place, resources)];
  return patches.reduce((list: readonly Manifest[], { path }: { path: string }) => {
    const [patch] = resourcesIn(place, [path]) as [Manifest];
    const isTarget = (one: Manifest) => one.kind === patch.kind && one.metadata.name === patch.metadata.name;
    if (!list.some(isTarget)) throw new Error(`${join(place, path)} patches nothing.`);
    return list.map((one) => (isTarget(one) ? (merged(one, patch) as Manifest) : one));
  }, all);
}

const resourcesIn = (place: string, files: readonly string[]) =>
  files.flatMap((file) => manifestsIn(readFileSync(join(place, file), 'utf8')));

/** Strategic merge: objects by member; the lists that are patched here are replaced. */
function merged(value: unknown, patch: unknown): unknown {
  const isObject = (one: unknown) => typeof one === 'object' && one !== null && !Array.isArray(one);
  if (!isObject(value) || !isObject(patch)) return patch;
  const members = Object.entries(patch as object).map(([name, member]) => [
    name,
    merged((value as Record<string, unknown>)[name], member),
  ]);
  return { ...(value as object), ...Object.fromEntries(members) };
}

/** The ConfigMap that a `configMapGenerator` generates, without the hash in its name. */
export function configMapOf({ name, literals }: { name: string; literals: readonly string[] }) {
  const data: Record<string, string> = Object.fromEntries(
    literals.map((literal) => literal.split(/=(.*)/).slice(0, 2)),
  );
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data };
}

function withTags(manifest: Manifest, images: readonly { name: string; newTag: string }[]): Manifest {
  const text = images.reduce(
    (text, { name, newTag }) => text.replaceAll(`"image":"${name}"`, `"image":"${name}:${newTag}"`),
    JSON.stringify(manifest),
  );
  return JSON.parse(text);
}

/** The documents of a YAML stream, without empty ones. */
export function manifestsIn(text: string): readonly Manifest[] {
  return parseAllDocuments(text).flatMap((document) => (document.toJS() as Manifest | null) ?? []);
}

export function manifest(kind: string, name = 'folio'): Manifest {
  const found = manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name);
  if (!found) throw new Error(`There is no ${kind} named ${name}.`);
  return found;
}

/** Throws when a value does not match the API. Returns the paths of members that the API does not have. */
export function unknownMembers(manifest: Manifest): string[] {
  const { apiVersion, kind } = manifest;
  const model = models.find((model) => model.apiVersion === apiVersion && model.kind === kind);
  if (!model) throw new Error(`There is no model of ${apiVersion} ${kind}.`);
  const unread = new Set<string>();
  model.prototype.validate.call(noting(manifest, kind, unread));
  return [...unread];
}

/** A validator reads the members that it knows. A member that it does not read is misspelt or misplaced. */
function noting(value: unknown, path: string, unread: Set<string>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => {
    const memberPath = `${path}.${name}`;
    unread.add(memberPath);
    return [name, noting(member, memberPath, unread)] as const;
  });
  const copy = Array.isArray(value) ? members.map(([, member]) => member) : Object.fromEntries(members);
  return new Proxy(copy, {
    get(target, name, receiver) {
      unread.delete(`${path}.${String(name)}`);
      return Reflect.get(target, name, receiver);
    },
  });
}
