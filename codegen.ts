/**
 * Typed documents for `@folio/client`, the tests and the example application, from `schema.graphql`:
 * `npx graphql-codegen --config codegen.ts`. `npm run generate` writes them too, with all other generated files.
 */
import type { CodegenConfig } from '@graphql-codegen/cli';
import { preset } from '@graphql-codegen/client-preset';
import type { Types } from '@graphql-codegen/plugin-helpers';
import graphqlTag from 'graphql-tag';
import clientCodegen from './examples/clients/codegen.config.ts';

// The preset parses with graphql-tag, which warns of a fragment that another folder writes in another way.
graphqlTag.disableFragmentWarnings();

/** The configuration that front ends copy. */
const client = clientCodegen.generates['src/gql/'];

/** The client preset without the files that look documents up by their text: here documents are imported by name. */
const documentsByName: Types.OutputPreset = {
  ...preset,
  async buildGeneratesSection(options) {
    const files = await preset.buildGeneratesSection(options);
    return files.filter(({ filename }) => /\/(graphql\.ts|persisted-documents\.json)$/.test(filename));
  },
};

const forClients = { ...client, preset: documentsByName };

/** One output for each folder. */
interface Config extends CodegenConfig {
  readonly generates: Record<string, Output>;
}

interface Output extends Types.ConfiguredOutput {
  readonly documents: string;
  readonly preset: Types.OutputPreset;
  documentTransforms?: Types.DocumentTransformObject[];
}

const config: Config = {
  schema: 'schema.graphql',
  generates: {
    'packages/client/src/gql/': { ...forClients, documents: 'examples/operations/**/*.graphql' },
    'examples/web/src/graphql/': { ...forClients, documents: 'examples/web/src/**/*.graphql' },
  },
};

export default config;
