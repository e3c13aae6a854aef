/** The package.json of the bundle, and the options of `npm run build` that decide what is in it. */
import packageJson from '../package.json' with { type: 'json' };

export const buildOptions = {
  to: { type: 'string', default: 'dist' },
  without: { type: 'string' },
  'without-node': { type: 'boolean', default: false },
} as const;

export function bundleManifest(values: { readonly 'without-node': boolean }) {
  const { name, version, description, license, engines, optionalDependencies } = packageJson;
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    bin: { folio: 'folio.cjs' },
    exports: { './handler': { types: './handler.d.ts', default: './handler.js' } },
    // Not the compiled code: it is of use to one version of Node on one platform.
    files: ['*.js', '*.cjs', 'handler.d.ts', 'LICENSES.txt', 'docs', 'graphiql', 'graphql-ws', 'operations'],
    // The handler runs on the Node of its server, the command under the Node 26 that is installed with it.
    ...(values['without-node'] ? { engines: { node: '>=22.19.0' } } : { engines, optionalDependencies }),
  };
}
