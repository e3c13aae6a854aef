/**
 * Writes the test kit, a package for front ends without dependencies, which `npm pack` makes a tarball of:
 *
 *     npm run test-kit                 # writes dist/test-kit
 *     npm run test-kit -- --to folder  # writes another folder, which is emptied first
 *
 * `index.js` starts a gateway with its sandbox; `msw.js` runs in browsers too and needs the package `msw`.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type InputOptions, type Plugin, rolldown } from 'rolldown';
import packageJson from '../package.json' with { type: 'json' };
import { licensesOf, packagesOf } from './bundled-packages.ts';
import { declarationsOf } from './declarations.ts';
import { targetFolder } from './target-folder.ts';

const { values } = parseArgs({ options: { to: { type: 'string', default: 'dist/test-kit' } } });
const root = resolve(import.meta.dirname, '..');
const sources = join(root, 'test-kit');
const target = targetFolder(values.to);

/** Parts that a test does not need, by the name of the module that loads them. */
const leftOut: Readonly<Record<string, string>> = {
  'src/state/redis.ts': 'Redis',
  'src/telemetry/open-telemetry.ts': 'OpenTelemetry',
  'src/http/graphiql.ts': 'GraphiQL',
};

/** Replaces modules that are left out, and the one that reads the schema from its file. */
const replacedModules: Plugin = {
  name: 'replaced-modules',
  load(id) {
    if (id === join(sources, 'schema-text.ts')) {
      const schema = readFileSync(join(root, 'schema.graphql'), 'utf8');
      return `export const schemaText = ${JSON.stringify(schema)};`;
    }
    const part = Object.entries(leftOut).find(([path]) => id === join(root, path))?.[1];
    if (part === undefined) return null;
    const names = ['connectRedis', 'startExports', 'createGraphiQL'];
    const fail = `() => { throw new Error('${part} is not a part of the test kit.'); }`;
    return names.map((name) => `export const ${name} = ${fail};`).join('\n');
  },
};

/** Optional packages of `ws`, `eval` in protobuf, and the sandbox, which the kit loads before the gateway would. */
const expectedLogs = ['UNRESOLVED_IMPORT', 'EVAL', 'INEFFECTIVE_DYNAMIC_IMPORT'];

/** Bundles a file of test-kit/ and returns the modules of the bundle. */
async function bundle(name: string, options: InputOptions): Promise<string[]> {
  const build = await rolldown({
    ...options,
    input: { [name]: join(sources, `${name}.ts`) },
    plugins: [replacedModules],
    onLog(level, log, handle) {
      if (!expectedLogs.includes(log.code ?? '')) handle(level, log);
    },
  });
  const { output } = await build.write({
    dir: target,
    format: 'esm',
    chunkFileNames: `${name}-[name].js`,
    minify: { mangle: false, compress: false, codegen: { removeWhitespace: true } },
    comments: { legal: false },
  });
  await build.close();
  return output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
}

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
const modules = [
  ...(await bundle('index', {
    platform: 'node',
    resolve: { conditionNames: ['module-sync', 'node', 'import', 'default'] },
  })),
  ...(await bundle('msw', { platform: 'browser', external: ['msw'] })),
  ...(await bundle('fixtures', { platform: 'browser' })),
];
for (const name of ['index', 'types', 'msw', 'fixtures', 'schema-types'])
  writeFileSync(join(target, `${name}.d.ts`), declarationsOf(join(sources, `${name}.ts`)));
// The bundle uses exports of Node that older versions do not have: they would fail before any check in it.
renameSync(join(target, 'index.js'), join(target, 'gateway.js'));
writeFileSync(
  join(target, 'index.js'),
  `const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19))
  throw new Error(\`folio-test-kit runs on Node 22.19 or later, and this is \${process.version}.\`);
export const { startFolio, startFolioWithoutPort } = await import('./gateway.js');
`,
);
writeFileSync(join(target, 'LICENSES.txt'), licensesOf(packagesOf(modules)));

const manifest = {
  name: 'folio-test-kit',
  version: packageJson.version,
  description:
    'A Folio gateway with its sandbox in the process of a test, and handlers for Mock Service Worker',
  license: packageJson.license,
  type: 'module',
  // The oldest Node that the bundled HTTP client supports.
  engines: { node: '>=22.19.0' },
  exports: {
    '.': { types: './index.d.ts', default: './index.js' },
    './fixtures': { types: './fixtures.d.ts', default: './fixtures.js' },
    './msw': { types: './msw.d.ts', default: './msw.js' },
  },
  peerDependencies: { msw: '^2.6.0 || ^3.0.0' },
  peerDependenciesMeta: { msw: { optional: true } },
};
writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
console.log(`${values.to}: ${manifest.name} ${manifest.version}`);
