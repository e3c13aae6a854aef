/**
 * Typed operations from the gateway's schema, and `src/gql/persisted-documents.json`, their manifest for the gateway. Next to `schema.graphql`, with the operations under `src`:
 * `npm install --save-dev @graphql-codegen/cli @graphql-codegen/client-preset`, then
 * `npx graphql-codegen --config codegen.config.ts`.
 */
import { addTypenameSelectionDocumentTransform } from '@graphql-codegen/client-preset';

export default {
  schema: 'schema.graphql',
  documents: ['src/**/*.graphql'],
  generates: {
    'src/gql/': {
      preset: 'client' as const,
      presetConfig: {
        fragmentMasking: false,
        // Each document gets the hash of its text, by which the gateway knows it.
        persistedDocuments: { hashAlgorithm: 'sha256' },
      },
      // Caches need `__typename`. It must be in the persisted text: a cache cannot add it to a text that is not sent.
      documentTransforms: [addTypenameSelectionDocumentTransform],
      config: {
        useTypeImports: true,
        enumsAsTypes: true,
        // A new scalar of the schema stops the build here instead of becoming `any`.
        strictScalars: true,
        scalars: {
          Date: 'string',
          DateTime: 'string',
          // Decimals are strings in both directions, so that they keep every digit.
          Decimal: { input: 'string | number', output: 'string' },
          DecimalDraft: 'string | number',
          JSONObject: 'Record<string, unknown>',
          JSONObjectDraft: 'Record<string, unknown>',
          UUID: 'string',
          Upload: 'File',
        },
      },
    },
  },
};
