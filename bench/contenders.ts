/** Who takes part, and how each is started. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from './processes.ts';

export interface Contender {
  readonly name: string;
  readonly label: string;
  /** Of which versions are told. */
  readonly packages: readonly string[];
  /** Passes the service's own shapes on: it is asked the workload's wire requests. */
  readonly isWire?: boolean;
  /** Why it cannot take part here; undefined when it can. */
  unavailable(): string | undefined;
  command(upstreamUrl: string, port: number, workload: string): Command;
}

const bench = dirname(fileURLToPath(import.meta.url));
const root = dirname(bench);

export interface PackageJson {
  readonly version: string;
  readonly scripts: Readonly<Record<string, string>>;
}

export function readPackage(folder: string): PackageJson {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageJson;
}

/** The version that is installed for the bench; undefined: none. */
export function installedVersion(name: string): string | undefined {
  const folder = join(bench, 'node_modules', name);
  return existsSync(folder) ? readPackage(folder).version.replace(/^v/, '') : undefined;
}

function server(name: string, label: string, packages: readonly string[]): Contender {
  return {
    name,
    label,
    packages,
    unavailable: () => missing(packages),
    command: (upstreamUrl, port, workload) => ({
      argv: [process.execPath, join(bench, 'contenders', `${name}.ts`)],
      env: { NODE_ENV: 'production', PORT: String(port), UPSTREAM_URL: upstreamUrl, WORKLOAD: workload },
    }),
  };
}

function missing(packages: readonly string[]): string | undefined {
  const absent = packages.filter((name) => installedVersion(name) === undefined);
  return absent.length > 0 ? `${absent.join(', ')} could not be installed` : undefined;
}

export const limit = server('limit', 'LIMIT', ['undici']);

/** By the command of `npm start`, with the settings of production. */
export const gateway: Contender = {
  name: 'gateway',
  label: 'Folio',
  packages: [],
  unavailable: () => undefined,
  command: (upstreamUrl, port, workload) => ({
    argv: ['sh', '-c', readPackage(root).scripts['start'] as string],
    env: {
      NODE_ENV: 'production',
      PORT: String(port),
      UPSTREAM_URL: upstreamUrl,
      // Out of the way: the load is one caller.
      UPSTREAM_CONCURRENCY_PER_CALLER: '1000',
      // Its default would refuse the file that the memory is measured with.
      ...(workload === 'W6' ? { MAX_UPLOAD_BYTES: String(1024 ** 3) } : {}),
    },
    cwd: root,
  }),
};

export const contenders: readonly Contender[] = [
  limit,
  gateway,
  server('mercurius', 'Mercurius + jit', ['mercurius', 'fastify', 'graphql-jit', 'mercurius-upload']),
  server('yoga', 'Yoga as documented', ['graphql-yoga']),
  server('apollo', 'Apollo Server + datasource-rest', ['@apollo/server', '@apollo/datasource-rest']),
];
