/** The contenders, and how each is started. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { credentialHeaders } from '../src/caller.ts';
import type { Command } from './processes.ts';

export interface Contender {
  readonly name: string;
  readonly label: string;
  /** Packages whose versions are reported. */
  readonly packages: readonly string[];
  /** Passes the service's own shapes on, so it gets the workload's wire requests. */
  readonly isWire?: boolean;
  /** Number of callers of its requests, if not the workload's. */
  readonly callers?: number;
  /** Why it cannot run on this machine; undefined when it can. */
  unavailable(): string | undefined;
  command(start: Start): Command;
}

export interface Start {
  readonly upstreamUrl: string;
  readonly port: number;
  /** Name of the workload. */
  readonly workload: string;
  /** A temporary folder for its files. */
  readonly folder: string;
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

/** The version that is installed for the bench; undefined: not installed. */
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
    command: ({ upstreamUrl, port, workload }) => ({
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

/** LIMIT of subscriptions. */
export const limitHub = server('limit-hub', 'LIMIT', ['undici', 'ws']);

/** With the settings of production. */
export function folio(name: string, label: string, argv: readonly string[], cwd = root): Contender {
  return {
    name,
    label,
    packages: [],
    unavailable: () => undefined,
    command: ({ upstreamUrl, port, workload }) => ({
      argv,
      env: {
        NODE_ENV: 'production',
        PORT: String(port),
        UPSTREAM_URL: upstreamUrl,
        // High, because the load is one caller.
        UPSTREAM_CONCURRENCY_PER_CALLER: '1000',
        // The default would refuse the file of the memory workload.
        ...(workload === 'W6' ? { MAX_UPLOAD_BYTES: String(1024 ** 3) } : {}),
      },
      cwd,
    }),
  };
}

/** Where `prepare` builds the bundle. */
export const bundleFolder = join(bench, 'dist');

/** What the image runs: the bundle. */
export const gateway = folio('gateway', 'Folio', [process.execPath, join(bundleFolder, 'main.js')]);

/** Where `prepare` builds the bundle of `--against`. */
export const earlierFolder = join(bench, 'dist', 'against');

/** Another state of Folio, for `--against`. */
export const earlier = folio('against', 'Folio, --against', [
  process.execPath,
  join(earlierFolder, 'main.js'),
]);

/** With the load of one caller, where the others get that of several. */
export const oneCaller: Contender = {
  ...gateway,
  name: 'one-caller',
  label: 'Folio, one caller',
  callers: 1,
};

/** The command of `npm start`: the source and the installed packages. */
export const gatewaySource = folio(
  'source',
  'Folio, npm start',
  (readPackage(root).scripts['start'] as string).split(' '),
);

/** The contender with further environment variables. */
export function withSettings(contender: Contender, settings: Readonly<Record<string, string>>): Contender {
  return {
    ...contender,
    command(start) {
      const command = contender.command(start);
      return { ...command, env: { ...command.env, ...settings } };
    },
  };
}

const hive: Contender = {
  name: 'hive',
  label: 'Hive Gateway + Mesh',
  packages: ['@graphql-hive/gateway', '@graphql-mesh/transport-rest'],
  isWire: true,
  unavailable: () => missing(hive.packages),
  command(start) {
    const program = join(bench, 'node_modules', '.bin', 'hive-gateway');
    const options = ['--host', '127.0.0.1', '--port', String(start.port)];
    return {
      argv: [process.execPath, program, 'supergraph', filledIn('supergraph.graphql', start), ...options],
      env: { NODE_ENV: 'production' },
      cwd: start.folder,
    };
  },
};

const tailcallPackage = '@tailcallhq/core-linux-x64-gnu';
const tailcallProgram = join(bench, 'node_modules', tailcallPackage, 'bin', 'tailcall');

const tailcall: Contender = {
  name: 'tailcall',
  label: 'Tailcall (Rust)',
  packages: [tailcallPackage],
  isWire: true,
  unavailable: () => missing(tailcall.packages) ?? complaintOf(tailcallProgram),
  command: (start) => ({
    argv: [tailcallProgram, 'start', filledIn('tailcall.graphql', start)],
    // Otherwise it sends usage data.
    env: { TAILCALL_TRACKER: 'false' },
    cwd: start.folder,
  }),
};

/** Why the program does not run here, e.g. because it needs a newer C library. */
function complaintOf(program: string): string | undefined {
  try {
    execFileSync(program, ['--version'], { stdio: 'pipe' });
    return undefined;
  } catch (error) {
    return String((error as { stderr?: Buffer }).stderr ?? error).split('\n')[0];
  }
}

/** A configuration of contenders/ with its placeholders replaced. */
function filledIn(file: string, { upstreamUrl, port, folder }: Start): string {
  const template = readFileSync(join(bench, 'contenders', file), 'utf8');
  const path = join(folder, file);
  const filled = template
    .replaceAll('@service@', upstreamUrl)
    .replaceAll('@apiKeyHeader@', credentialHeaders.apiKey)
    .replaceAll('port: 0', `port: ${port}`);
  writeFileSync(path, filled);
  return path;
}

export function callersOf({ callers }: Contender, workload: { readonly callers?: number }): number {
  return callers ?? workload.callers ?? 1;
}

const mercuriusPackages = ['mercurius', 'fastify', 'graphql-jit', 'mercurius-upload'];
const mercurius = server('mercurius', 'Mercurius + jit', mercuriusPackages);

export const contenders: readonly Contender[] = [
  limit,
  gateway,
  oneCaller,
  gatewaySource,
  server('floor', 'FLOOR', ['undici']),
  mercurius,
  {
    ...withSettings(mercurius, { IN_PRODUCTION: '1' }),
    name: 'mercurius-production',
    label: 'Mercurius + jit in production',
  },
  server('yoga', 'Yoga as documented', ['graphql-yoga']),
  server('apollo', 'Apollo Server + datasource-rest', ['@apollo/server', '@apollo/datasource-rest']),
  hive,
  tailcall,
];
