/**
 * Typed operations from the gateway's schema. Beside `schema.graphql`, with the operations under `src`:
 * `npm install --save-dev @graphql-codegen/cli @graphql-codegen/client-preset`, then
 * `npx graphql-codegen --config codegen.config.ts`.
 */
export default {
  schema: 'schema.graphql',
  documents: ['src/**/*.graphql'],
  generates: {
    'src/gql/': {
      preset: 'client' as const,
      presetConfig: { fragmentMasking: false },
      config: {
        useTypeImports: true,
        enumsAsTypes: true,
        // A scalar that the schema gains later stops the build here rather than become `any`.
        strictScalars: true,
        scalars: {
          Date: 'string',
          DateTime: 'string',
          // Every digit counts: what comes is text, and what is text goes unchanged.
          Decimal: { input: 'string | number', output: 'string' },
          JSONObject: 'Record<string, unknown>',
          UUID: 'string',
          Upload: 'File',
        },
      },
    },
  },
};
