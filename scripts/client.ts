/**
 * Writes the package `@folio/client` from packages/client, which `npm pack` makes a tarball of:
 *
 *     npm run client                 # writes dist/client and its tarball
 *     npm run client -- --to folder  # writes another folder, which is emptied first
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import packageJson from '../package.json' with { type: 'json' };
import client from '../packages/client/package.json' with { type: 'json' };
import { targetFolder } from './target-folder.ts';

const { values } = parseArgs({ options: { to: { type: 'string', default: 'dist/client' } } });
const root = resolve(import.meta.dirname, '..');
const target = targetFolder(values.to);

/** Every client needs these; npm installs them with the package. */
const requiredPeers = {
  '@graphql-typed-document-node/core': '^3.2.0',
  graphql: '^16.9.0 || ^17.0.0',
  'graphql-ws': '^6.0.0',
};

/** Needed by the entry of one client. */
const optionalPeers = {
  '@apollo/client': '^4.0.0',
  '@tanstack/query-core': '^5.0.0',
  '@urql/core': '^6.0.0',
  '@urql/exchange-graphcache': '^9.0.0',
  react: '^18.0.0 || ^19.0.0',
  'relay-runtime': '>=18.0.0',
  rxjs: '^7.3.0',
  vue: '^3.4.0',
  wonka: '^6.3.0',
};

/** `./src/apollo.ts` becomes `./apollo.js` with its declarations; a JSON file is copied. */
function exportOf(source: string): string | { types: string; default: string } {
  const path = source.replace('/src/', '/');
  if (!path.endsWith('.ts')) return path;
  const name = path.slice(0, -'.ts'.length);
  return { types: `${name}.d.ts`, default: `${name}.js` };
}

rmSync(target, { recursive: true, force: true });
const compiler = join(root, 'node_modules/typescript/bin/tsc');
execFileSync(process.execPath, [compiler, '-p', join(root, 'packages/client'), '--outDir', target], {
  stdio: 'inherit',
});
for (const source of Object.values(client.exports).filter((path) => path.endsWith('.json'))) {
  const copy = join(target, source.replace('/src/', '/'));
  mkdirSync(dirname(copy), { recursive: true });
  copyFileSync(join(root, 'packages/client', source), copy);
}
copyFileSync(join(root, 'examples/clients/codegen.config.ts'), join(target, 'codegen.config.ts'));
copyFileSync(join(root, 'packages/client/README.md'), join(target, 'README.md'));
copyFileSync(join(root, 'schema.graphql'), join(target, 'schema.graphql'));

const entries = Object.entries(client.exports).map(([entry, source]) => [entry, exportOf(source)] as const);
const manifest = {
  name: client.name,
  version: packageJson.version,
  description: client.description,
  license: packageJson.license,
  type: 'module',
  sideEffects: false,
  exports: { ...Object.fromEntries(entries), './schema.graphql': './schema.graphql' },
  peerDependencies: { ...requiredPeers, ...optionalPeers },
  peerDependenciesMeta: Object.fromEntries(
    Object.keys(optionalPeers).map((name) => [name, { optional: true }]),
  ),
};
writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
const [tarball] = execFileSync('npm', ['pack', '--silent', '--pack-destination', dirname(target), target], {
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'ignore'],
})
  .trim()
  .split('\n');
console.log(`${join(dirname(values.to), String(tarball))}: ${manifest.name} ${manifest.version}`);
