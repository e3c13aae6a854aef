/**
 * Bundles the gateway and its packages into `dist/`, which runs without node_modules and without a compiler:
 *
 *     npm run build                 # writes dist/, and keeps the client and the test kit that are packed there
 *     npm run build -- --to folder  # writes another folder, which is emptied first
 *     npm run build -- --without-node  # a package for other servers, which bring their own Node
 *     npm run build -- --without logBatches  # without a mechanism for speed, for the bench
 *
 * `npm pack ./dist` makes a tarball of it, whose command `folio` starts the gateway (scripts/launcher.cjs).
 *
 * `import { createFolioHandler } from 'folio/handler'` takes `dist/handler.js` from it, the gateway inside of another server.
 *
 * `dist/main.js` is the entry. It lets Node read the compiled code of `dist/compiled/`, which this script creates, and
 * starts the bundle, `dist/gateway.js`. `dist/sandbox.js` starts the sandbox in a process of its own, as compose.yaml does.
 * What a gateway loads only when it is configured (Redis, OpenTelemetry, GraphiQL, the sandbox, Yoga for event
 * streams) is a separate file. `dist/LICENSES.txt` has the license of every bundled package.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Plugin, rolldown } from 'rolldown';
import {
  operationsFolder,
  pageFolder,
  sandboxPageFolder,
  socketClientFolder,
} from '../src/http/graphiql-folders.ts';
import { mechanisms } from '../src/tools/speed-mechanisms.ts';
import { buildOptions, bundleManifest } from './bundle-manifest.ts';
import { licensesOf, packagesOf } from './bundled-packages.ts';
import { declarationsOf } from './declarations.ts';
import { targetFolder } from './target-folder.ts';

const { values } = parseArgs({ options: buildOptions });
const root = resolve(import.meta.dirname, '..');
const target = targetFolder(values.to);

/** The modules of a bundle find the copied folders next to them. */
const bundledFolders: Plugin = {
  name: 'bundled-folders',
  load(id) {
    if (id !== join(root, 'src/http/graphiql-folders.ts')) return null;
    const folders = {
      pageFolder: 'graphiql',
      operationsFolder: 'operations',
      sandboxPageFolder: 'docs',
      socketClientFolder: 'graphql-ws',
    };
    const lines = Object.entries(folders).map(
      ([name, folder]) => `export const ${name} = join(import.meta.dirname, '${folder}');`,
    );
    return ["import { join } from 'node:path';", ...lines].join('\n');
  },
};

const { without } = values;
if (without !== undefined && !Object.hasOwn(mechanisms, without)) {
  throw new Error(`--without must be one of ${Object.keys(mechanisms).join(', ')}`);
}

const switchedMechanisms: Plugin = {
  name: 'switched-mechanisms',
  load(id) {
    if (without === undefined || id !== join(root, 'src/tools/speed-mechanisms.ts')) return null;
    return `export const mechanisms = ${JSON.stringify({ ...mechanisms, [without]: false })};`;
  },
};

const bundle = await rolldown({
  input: {
    gateway: join(root, 'src/main.ts'),
    sandbox: join(root, 'src/sandbox/main.ts'),
    why: join(root, 'scripts/folio.ts'),
    handler: join(root, 'src/handler.ts'),
  },
  platform: 'node',
  // Formats log lines in development only; `main.ts` works without it.
  external: ['pino-pretty'],
  // The same builds of the packages that Node loads: `graphql` has others for development.
  resolve: { conditionNames: ['module-sync', 'node', 'import', 'default'] },
  plugins: [bundledFolders, switchedMechanisms],
  // Optional packages of `ws` that are not installed, and `eval` in protobuf's way to find them.
  onLog(level, log, handle) {
    if (log.code !== 'UNRESOLVED_IMPORT' && log.code !== 'EVAL') handle(level, log);
  },
});

// `npm run client` and `npm run test-kit` write into the same folder.
const isPackedElsewhere = (name: string) => /^(client|test-kit|folio-(client|test-kit)-.*\.tgz)$/.test(name);
const earlier = existsSync(target) ? readdirSync(target).filter((name) => !isPackedElsewhere(name)) : [];
for (const name of earlier) rmSync(join(target, name), { recursive: true });
const { output } = await bundle.write({
  dir: target,
  format: 'esm',
  chunkFileNames: '[name].js',
  // Stack traces and metrics name functions; comments and blanks are of no use at run time.
  minify: { mangle: false, compress: false, codegen: { removeWhitespace: true } },
  comments: { legal: false },
});
await bundle.close();

cpSync(pageFolder, join(target, 'graphiql'), { recursive: true });
cpSync(operationsFolder, join(target, 'operations'), { recursive: true });
cpSync(join(sandboxPageFolder, 'sandbox.md'), join(target, 'docs/sandbox.md'));
mkdirSync(join(target, 'graphql-ws'));
for (const file of readdirSync(socketClientFolder)) {
  if (file === 'client.js' || /^common-\w+\.js$/.test(file))
    cpSync(join(socketClientFolder, file), join(target, 'graphql-ws', file));
}
cpSync(join(root, 'scripts/launcher.cjs'), join(target, 'folio.cjs'));
cpSync(join(root, 'src/stop-with-parent.cjs'), join(target, 'stop-with-parent.cjs'));
writeFileSync(join(target, 'handler.d.ts'), declarationsOf(join(root, 'src/handler.ts')));
writeFileSync(join(target, 'package.json'), `${JSON.stringify(bundleManifest(values), null, 2)}\n`);

// `portable`: the folder may be copied to another place. Where it is missing or read-only, Node compiles as it always does.
writeFileSync(
  join(target, 'main.js'),
  `import { enableCompileCache } from 'node:module';
import { constants } from 'node:os';
import { join } from 'node:path';

// The system lets the first process of a container ignore a signal that has no handler. A gateway that starts has its own.
for (const signal of ['SIGTERM', 'SIGINT'])
  process.on(signal, () => process.listenerCount(signal) > 1 || process.exit(128 + constants.signals[signal]));
enableCompileCache({ directory: join(import.meta.dirname, 'compiled'), portable: true });
await import('./gateway.js');
`,
);
execFileSync(process.execPath, [join(target, 'main.js'), '--help'], {
  env: { ...process.env, NODE_COMPILE_CACHE: '' },
  stdio: ['ignore', 'ignore', 'inherit'],
});
// Node writes them for its own user only; the image runs as another one.
for (const file of globSync(join(target, 'compiled/*/*'))) chmodSync(file, 0o644);

const modules = output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
const packages = packagesOf([...modules, join(socketClientFolder, 'client.js')]);
writeFileSync(join(target, 'LICENSES.txt'), licensesOf(packages));

const bytes = globSync('**', { cwd: target, exclude: isPackedElsewhere })
  .map((path) => statSync(join(target, path)))
  .reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
console.log(
  `${values.to}: ${packages.length} packages in ${output.length} files, ${(bytes / 1e6).toFixed(1)} MB`,
);
