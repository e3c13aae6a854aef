/** Envoy in front of several gateways, as docs/production.md describes a balancer. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../../src/config/config.ts';
import { startTestGateway } from '../support/gateway.ts';
import { forTest } from '../support/lifetimes.ts';

const file = 'ops/envoy.yaml';
const { listeners, clusters } = parse(readFileSync(file, 'utf8')).static_resources;
const connections = listeners[0].filter_chains[0].filters[0].typed_config;
const [{ route, ...others }] = connections.route_config.virtual_hosts[0].routes;
const [cluster] = clusters;
const msOf = (duration: string) => Number(duration.replace(/s$/, '')) * 1_000;

it('Envoy forwards every path to the gateways, and WebSocket upgrades', () => {
  expect(others.match).toEqual({ prefix: '/' });
  expect(route.cluster).toBe(cluster.name);
  expect(connections.upgrade_configs).toEqual([{ upgrade_type: 'websocket' }]);
  expect(JSON.stringify(cluster.load_assignment).match(/folio-\d","port_value":4000/g)).toHaveLength(3);
});

it('Envoy waits longer than the deadline of a scan, and ends no stream that is in use', () => {
  const { upstream } = readConfig({});
  expect(msOf(route.timeout)).toBe(0);
  for (const idle of [route.idle_timeout, connections.stream_idle_timeout])
    expect(msOf(idle)).toBeGreaterThan(upstream.scanDeadlineMs);
});

it('Envoy tries another gateway only if the connection was refused, so that no POST is sent twice', () => {
  expect(route.retry_policy.retry_on).toBe('connect-failure');
  expect(route).not.toHaveProperty('hedge_policy');
});

it('Envoy buffers nothing: its only HTTP filter is the router', () => {
  expect(connections.http_filters).toMatchObject([{ name: 'envoy.filters.http.router' }]);
});

it('Envoy notices by /ready within the SHUTDOWN_DELAY_MS of the docs that a gateway leaves', () => {
  const [{ interval, unhealthy_threshold: failures, http_health_check: check }] = cluster.health_checks;
  expect(check).toEqual({ path: '/ready' });
  const [, delay] = /envoy\.yaml\) \| (\d+) \|/.exec(readFileSync('docs/production.md', 'utf8')) ?? [];
  expect(msOf(interval) * failures).toBeLessThan(Number(delay));
});

it('Envoy checks as often before the first request, so that it finds gateways that start after it', () => {
  const [{ interval, no_traffic_interval: beforeTraffic }] = cluster.health_checks;
  expect(beforeTraffic).toBe(interval);
});

it('Envoy closes an idle connection before a gateway does, so that no POST meets the end of one', async () => {
  const { origin } = forTest(await startTestGateway());
  const { headers } = await fetch(`${origin}/health`);
  const [, seconds] = /timeout=(\d+)/.exec(headers.get('keep-alive') ?? '') ?? [];
  const [options] = Object.values<any>(cluster.typed_extension_protocol_options);
  expect(msOf(options.common_http_protocol_options.idle_timeout)).toBeLessThan(Number(seconds) * 1_000);
});

it.skipIf(spawnSync('envoy', ['--version']).status !== 0)('Envoy accepts the file', () => {
  const { status, stderr } = spawnSync('envoy', ['--mode', 'validate', '-c', file], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, expect.any(String)]);
});
