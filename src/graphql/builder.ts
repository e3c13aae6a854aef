import SchemaBuilder from '@pothos/core';
import ErrorsPlugin from '@pothos/plugin-errors';
import type { ExactNumber, JsonObject } from '../tools/exact-number.ts';
import type { Context } from './context.ts';
import { scalars } from './scalars.ts';
import type { UploadedFile } from './uploaded-file.ts';

export const builder = new SchemaBuilder<{
  Context: Context;
  Scalars: {
    ID: { Input: string; Output: string };
    DateTime: { Input: Date; Output: Date | string };
    UUID: { Input: string; Output: string };
    JSONObject: { Input: JsonObject; Output: unknown };
    Decimal: { Input: ExactNumber; Output: ExactNumber };
    JSONObjectDraft: { Input: JsonObject; Output: never };
    DecimalDraft: { Input: string | number; Output: never };
    Date: { Input: never; Output: string };
    Upload: { Input: UploadedFile; Output: never };
  };
}>({ plugins: [ErrorsPlugin], errors: { defaultTypes: [] } });

for (const scalar of scalars) builder.addScalarType(scalar.name as never, scalar as never);

builder.queryType({
  description:
    'Root fields of queries and mutations, except gatewayInfo, are nullable: when one fails, the others keep their results. A list argument with ' +
    'more than 100 members is BAD_USER_INPUT and nothing is sent.',
});
builder.mutationType({
  description:
    'Every mutation returns its success type, or InvalidInput with what the caller can correct. All other failures are in errors[].',
});
builder.subscriptionType({
  description:
    'Served over WebSocket (`graphql-transport-ws`), as server-sent events and as multipart responses (`subscriptionSpec=1.0`).',
});
