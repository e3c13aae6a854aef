import SchemaBuilder from '@pothos/core';
import ErrorsPlugin from '@pothos/plugin-errors';
import type { ExactNumber, JsonObject } from '../upstream/exact-json.ts';
import type { Context } from './context.ts';
import {
  dateScalar,
  dateTimeScalar,
  decimalScalar,
  jsonObjectScalar,
  uploadScalar,
  uuidScalar,
} from './scalars.ts';
import type { UploadedFile } from './uploaded-file.ts';

export const builder = new SchemaBuilder<{
  Context: Context;
  DefaultFieldNullability: true;
  Scalars: {
    ID: { Input: string; Output: string };
    DateTime: { Input: Date; Output: Date };
    UUID: { Input: string; Output: string };
    JSONObject: { Input: JsonObject; Output: unknown };
    Decimal: { Input: ExactNumber; Output: ExactNumber };
    Date: { Input: never; Output: string };
    Upload: { Input: UploadedFile; Output: never };
  };
}>({ plugins: [ErrorsPlugin], errors: { defaultTypes: [] } });

builder.addScalarType('DateTime', dateTimeScalar as never);
builder.addScalarType('UUID', uuidScalar as never);
builder.addScalarType('JSONObject', jsonObjectScalar as never);
builder.addScalarType('Decimal', decimalScalar as never);
builder.addScalarType('Date', dateScalar as never);
builder.addScalarType('Upload', uploadScalar as never);

builder.queryType({
  description:
    'Root fields of queries and mutations are nullable: one that fails leaves its siblings’ answers. A list of more than 100 ' +
    'members: BAD_USER_INPUT, nothing sent.',
});
builder.mutationType({
  description:
    'Every mutation answers with its success type or with InvalidInput: what the caller can correct. All else is in errors[].',
});
builder.subscriptionType({
  description: 'Served over WebSocket (`graphql-transport-ws`) and as server-sent events.',
});
