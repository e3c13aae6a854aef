import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import packageJson from '../../package.json' with { type: 'json' };
import { readConfig } from '../../src/config/config.ts';
import { configTable } from '../../src/config/variables.ts';
import { configWarnings } from '../../src/config/warnings.ts';
import { composeProblems, gateways, networks, required, services } from '../support/compose.ts';
import { startTestGateway } from '../support/gateway.ts';
import { configMapOf, kustomization, manifest, manifestFiles, manifests } from '../support/kubernetes.ts';
import { forFile } from '../support/lifetimes.ts';

const variables = configTable.map(({ name }) => name);
/** How long a gateway may need for its last responses and spans after its grace time (ms). */
const afterGraceMs = 3_000;
const dockerfile = readFileSync('Dockerfile', 'utf8').replaceAll('\\\n', '');
const image = { NODE_ENV: 'production', HOST: '0.0.0.0' };

const gateway = forFile(await startTestGateway({ METRICS_PORT: '0' }));

describe('the Kubernetes manifests', () => {
  const pod = manifest('Deployment').spec.template;
  const [container] = pod.spec.containers;

  it('are all in the kustomization, with the image of this version', () => {
    expect(kustomization.resources).toEqual(manifestFiles);
    expect(kustomization.images).toEqual([{ name: container.image, newTag: packageJson.version }]);
  });

  it('configure a gateway that starts', () => {
    const environment = configMapOf(kustomization.configMapGenerator[0]).data;
    const secrets = { LANE_SECRET: 'x'.repeat(32), REDIS_URL: 'rediss://redis.example' };
    for (const { name, value, valueFrom } of container.env) {
      environment[name] = value ?? secrets[valueFrom.secretKeyRef.key as keyof typeof secrets];
    }
    for (const name of Object.keys(environment)) expect(variables).toContain(name);
    const config = readConfig({ ...image, ...environment });
    expect(config).toMatchObject({ production: true, redisAddress: { url: secrets.REDIS_URL } });
    expect(container.ports).toEqual([
      { name: 'http', containerPort: config.listen.port },
      { name: 'metrics', containerPort: config.metricsPort },
    ]);
  });

  it('give the gateway longer to stop than it takes, and load balancers time to remove it first', () => {
    const named = container.env.map(({ name, value }: any) => [name, value]);
    const UPSTREAM_URL = 'https://service.example';
    const config = readConfig({ ...image, UPSTREAM_URL, ...Object.fromEntries(named) });
    const preStopMs = container.lifecycle.preStop.sleep.seconds * 1_000;
    expect(preStopMs).toBeGreaterThan(0);
    expect(pod.spec.terminationGracePeriodSeconds * 1_000).toBeGreaterThan(
      preStopMs + config.shutdownDelayMs + config.shutdownGraceMs + afterGraceMs,
    );
    expect(configWarnings(config)).toEqual([]);
  });

  it('probe paths that the gateway serves on the port of its metrics', async () => {
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
      const { path, port } = container[probe].httpGet;
      expect([port, (await fetch(gateway.metrics.origin + path)).status]).toEqual(['metrics', 200]);
    }
    expect(container.readinessProbe.httpGet.path).toBe('/ready');
    expect(container.livenessProbe.httpGet.path).toBe('/health');
  });

  it('drop all privileges that the gateway does not need', () => {
    expect(container.securityContext).toEqual({
      ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true },
      capabilities: { drop: ['ALL'] },
    });
    expect(pod.spec).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: imageUser() },
    });
  });

  it('allow traffic only from the load balancer and Prometheus, and to named destinations', () => {
    const { ingress, egress, policyTypes } = manifest('NetworkPolicy').spec;
    expect(policyTypes).toEqual(['Ingress', 'Egress']);
    const named = { namespaceSelector: expect.anything(), podSelector: expect.anything() };
    expect(ingress).toMatchObject([
      { from: [named], ports: [{ port: 'http' }] },
      { from: [named], ports: [{ port: 'metrics' }] },
    ]);
    const balancer = { 'kubernetes.io/metadata.name': 'envoy-gateway-system' };
    expect(ingress[0].from[0].namespaceSelector.matchLabels).toEqual(balancer);
    for (const { to, ports } of egress) {
      expect(ports.length * to.length).toBeGreaterThan(0);
      for (const target of to) expect(target).not.toEqual({});
    }
    const blocks = egress.flatMap(({ to }: any) => to.flatMap(({ ipBlock }: any) => ipBlock ?? []));
    const everywhere = blocks.find(({ cidr }: any) => cidr === '0.0.0.0/0');
    const inside = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', '127.0.0.0/8'];
    expect(everywhere.except).toEqual(expect.arrayContaining(inside));
    expect(blocks.map(({ cidr }: any) => cidr)).not.toContain('::/0');
  });

  it('select the pods of the gateway, and name its ports', () => {
    const { labels } = pod.metadata;
    const { metadata, spec } = manifest('Deployment');
    for (const selector of [
      spec.selector.matchLabels,
      manifest('Service').spec.selector,
      manifest('Service', 'folio-metrics').spec.selector,
      manifest('PodDisruptionBudget').spec.selector.matchLabels,
      manifest('NetworkPolicy').spec.podSelector.matchLabels,
    ])
      expect(selector).toEqual(labels);
    const target = { apiVersion: 'apps/v1', kind: 'Deployment', name: metadata.name };
    expect(manifest('HorizontalPodAutoscaler').spec.scaleTargetRef).toEqual(target);
    const services = manifests.filter(({ kind }) => kind === 'Service');
    const ports = services.flatMap(({ spec }) => spec.ports.map(({ targetPort }: any) => targetPort));
    expect(ports).toEqual(['http', 'metrics']);
  });
});

describe('compose.yaml', () => {
  it('matches the Compose specification', () => {
    expect(composeProblems()).toEqual([]);
  });

  it('uses exact versions, existing files and loopback ports only', () => {
    for (const [name, { image, volumes = [], ports = [] }] of Object.entries(services)) {
      if (image) expect(image, name).toMatch(/:v?\d+\.\d+\.\d+(-alpine)?(@sha256:[0-9a-f]{64})?$/);
      for (const volume of volumes) {
        const [source = ''] = volume.split(':');
        if (source.startsWith('.')) expect(existsSync(source), source).toBe(true);
      }
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
    }
  });

  it('starts three gateways that share Redis and a secret, and gives them longer to stop than they take', () => {
    expect(gateways).toHaveLength(3);
    for (const [name, { environment = {}, stop_grace_period }] of gateways) {
      for (const variable of Object.keys(environment)) expect(variables, name).toContain(variable);
      const texts = Object.entries(environment).map(([variable, value]) => [variable, String(value)]);
      const config = readConfig({ ...image, ...Object.fromEntries(texts) });
      expect(config).toMatchObject({
        production: true,
        redisAddress: { url: `redis://:${required['REDIS_PASSWORD']}@redis:6379` },
        tracing: undefined,
      });
      const stopMs = Number(/^(\d+)s$/.exec(stop_grace_period ?? '')?.[1]) * 1_000;
      expect(stopMs).toBeGreaterThan(config.shutdownDelayMs + config.shutdownGraceMs + afterGraceMs);
    }
  });

  it('runs every container read-only and without root capabilities', () => {
    for (const [name, service] of Object.entries(services)) {
      const security_opt = ['no-new-privileges:true'];
      expect(service, name).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt });
      // It would have everything that is in memory.
      expect(service, `a core dump of ${name}`).toMatchObject({ ulimits: { core: 0 } });
      expect(service, name).not.toHaveProperty('privileged');
      expect(service, name).not.toHaveProperty('cap_add');
    }
    expect(services['balancer']?.image).toMatch(/^nginxinc\/nginx-unprivileged:/);
    expect(services['redis']?.['user']).toMatch(/^[1-9]\d*:[1-9]\d*$/);
  });

  it('isolates Redis: a password, only the gateways in its network, no way out', () => {
    const { networks: own = [], command, environment, ports } = services['redis'] ?? {};
    expect([own, ports]).toEqual([['state'], undefined]);
    expect(networks['state']).toEqual({ internal: true });
    const others = Object.entries(services).filter(([, { networks = [] }]) => networks.includes('state'));
    expect(others.map(([name]) => name).toSorted()).toEqual(['folio-1', 'folio-2', 'folio-3', 'redis']);
    for (const [name, service] of Object.entries(services)) expect(service.networks, name).toBeDefined();
    expect(String(command)).toMatch(/exec redis-server --requirepass "\$\$REDISCLI_AUTH"/);
    expect(String(command)).toContain('--maxmemory-policy noeviction');
    expect(environment).toEqual({ REDISCLI_AUTH: required['REDIS_PASSWORD'] });
  });

  it('starts Prometheus for every gateway, with the alerts, only in the profile observability', () => {
    const { scrape_configs, rule_files } = parse(readFileSync('ops/prometheus.yaml', 'utf8'));
    const targets = gateways.map(([name, { environment }]) => `${name}:${environment?.['METRICS_PORT']}`);
    expect(scrape_configs).toEqual([{ job_name: 'folio', static_configs: [{ targets }] }]);
    const rules = `./ops/${rule_files[0]}:/etc/prometheus/${rule_files[0]}:ro`;
    expect(services['prometheus']?.volumes).toContain(rules);
    for (const name of ['prometheus', 'grafana', 'otel-collector'])
      expect(services[name]?.profiles).toEqual(['observability']);
  });
});

describe('the balancer', () => {
  const conf = readFileSync('ops/nginx.conf', 'utf8').replaceAll(/^\s*#.*$/gm, '');

  it('resolves the names of gateways at run time, so that it finds a recreated one', () => {
    const [, servers = ''] = /upstream folio \{([^}]+)\}/.exec(conf) ?? [];
    const named = [...servers.matchAll(/server (\S+):4000 resolve;/g)].map(([, name]) => name);
    expect(named).toEqual(gateways.map(([name]) => name));
    expect(servers.match(/\bserver /g)).toHaveLength(named.length);
    expect(servers).toMatch(/zone \w+ \d+k;/);
    expect(conf).toMatch(/resolver 127\.0\.0\.11 valid=\d+s/);
    // The first nginx without a licence to have `resolve` is 1.27.3.
    const [, major, minor] = /:(\d+)\.(\d+)\./.exec(services['balancer']?.image ?? '') ?? [];
    expect(Number(major) * 1_000 + Number(minor)).toBeGreaterThan(1_027);
  });

  it('runs without root and on a read-only file system', () => {
    expect(conf).not.toMatch(/^\s*user\b/m);
    for (const [, port] of conf.matchAll(/listen (\d+)/g)) expect(Number(port)).toBeGreaterThan(1_023);
    expect(services['balancer']?.ports).toEqual(['127.0.0.1:8080:8080']);
    const paths = [...conf.matchAll(/(?:pid|_path) (\S+);/g)].map(([, path = '']) => path);
    expect(paths).toHaveLength(6);
    for (const path of paths) expect(path).toMatch(/^\/tmp\//);
    expect(services['balancer']?.tmpfs).toContain('/tmp');
  });

  it('limits requests, connections and sockets per client address', () => {
    expect(conf).toMatch(/limit_req_zone \$binary_remote_addr zone=requests:/);
    expect(conf).toMatch(/limit_req zone=requests burst=\d+ nodelay;/);
    expect(conf.match(/limit_conn (connections|sockets) \d+;/g)).toHaveLength(2);
    const [, body = ''] = /return 429 '(.+)';/.exec(conf) ?? [];
    const refusal = { code: 'RATE_LIMITED', sideEffect: 'NONE', retryable: true };
    expect(JSON.parse(body).errors[0].extensions).toMatchObject(refusal);
  });
});

describe('the image', () => {
  it('is built from the files that .dockerignore includes', () => {
    const allowed = readFileSync('.dockerignore', 'utf8').split('\n').filter(Boolean);
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, files = '']) =>
      files.split(' '),
    );
    expect(allowed).toEqual(['*', ...new Set(copied.map((file) => `!${file}`))]);
    for (const file of copied) expect(existsSync(file), file).toBe(true);
  });

  it('has the Node.js version that runs the tests', () => {
    const [node] = Object.values(packageJson.optionalDependencies);
    expect(dockerfile).toContain(`FROM node:${node}-`);
    expect(process.version).toBe(`v${node}`);
  });

  it('needs no shell: its commands are in exec form', () => {
    const [, finalStage = ''] = dockerfile.split(/^FROM gcr\.io\/distroless\/.*:nonroot$/m);
    expect(finalStage).not.toMatch(/^(RUN|SHELL)\b/m);
    const commands = [...finalStage.matchAll(/^(?:HEALTHCHECK.*? )?CMD (.+)$/gm)].map(
      ([, text = '']) => text,
    );
    expect(commands.map((text) => JSON.parse(text)[0])).toEqual(['node', 'node']);
    expect(imageUser()).toBeGreaterThan(0);
  });

  it('is healthy while the gateway runs, and unhealthy afterwards', async () => {
    const [, command = ''] = /^HEALTHCHECK.*? CMD (.+)$/m.exec(dockerfile) ?? [];
    const [, ...parameters] = JSON.parse(command) as string[];
    const health = async (port: string) => {
      const [code] = await once(spawn(process.execPath, parameters, { env: { PORT: port } }), 'exit');
      return code;
    };
    expect(await health(new URL(gateway.url).port)).toBe(0);
    expect(await health('9')).toBe(1);
  });
});

describe('npm run sbom', () => {
  const permitted = ['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', '0BSD', 'BlueOak-1.0.0'];

  it('lists exactly the packages of production, each with an allowed licence', () => {
    const { metadata, components, dependencies } = JSON.parse(
      execFileSync(process.execPath, ['scripts/sbom.ts'], { encoding: 'utf8' }),
    );
    expect(metadata.component.name).toBe('folio');
    const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
    const installed = Object.entries<{ dev?: boolean; version: string }>(lock.packages)
      .filter(([path, { dev }]) => path !== '' && !dev && existsSync(path))
      .map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`);
    const listed: string[] = components.map((component: any) => `${component.name}@${component.version}`);
    expect(listed.toSorted()).toEqual([...new Set(installed)].toSorted());
    for (const name of Object.keys(packageJson.dependencies))
      expect(listed.some((entry) => entry.startsWith(`${name}@`))).toBe(true);
    for (const { name, licenses } of components) {
      expect(licenses, name).toHaveLength(1);
      expect(permitted, name).toContain(licenses[0].license.id);
    }
    expect(dependencies).toHaveLength(components.length + 1);
  });
});

function imageUser(): number {
  return Number(/^USER (\d+):\d+$/m.exec(dockerfile)?.[1]);
}
