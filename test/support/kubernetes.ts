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

/** The manifests of a component of the kustomization, without its patches. */
export function componentManifests(name: string): readonly Manifest[] {
  const { resources } = parse(readFileSync(join(folder, name, 'kustomization.yaml'), 'utf8'));
  return resources.flatMap((file: string) => manifestsIn(readFileSync(join(folder, name, file), 'utf8')));
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
