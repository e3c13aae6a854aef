/** Complete values of the schema's object types, for tests and stories. */
import {
  buildSchema,
  type GraphQLOutputType,
  type GraphQLSchema,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
} from 'graphql';
import { schemaText } from './schema-text.ts';
import type { ObjectTypes } from './schema-types.ts';

/** An object of a type with all members. */
export type Complete<Value> = Required<Value>;

const scalars: Readonly<Record<string, unknown>> = {
  Boolean: false,
  Date: '2026-01-31',
  DateTime: '2026-01-31T08:00:00.000Z',
  Decimal: '0.00',
  Float: 0,
  ID: '1',
  Int: 0,
  JSONObject: {},
  UUID: '00000000-0000-4000-8000-000000000000',
};

let schema: GraphQLSchema | undefined;

/**
 * A value of the type `name` with all members: `values`, and for the others the plainest value that the schema allows. A
 * nullable member is null, a list is empty, a text is the name of its member, an enum is its first value.
 */
export function fixture<Name extends keyof ObjectTypes>(
  name: Name,
  values: Partial<ObjectTypes[Name]> = {},
): Complete<ObjectTypes[Name]> {
  schema ??= buildSchema(schemaText, { assumeValidSDL: true });
  return { ...objectOf(schema, name), ...values } as Complete<ObjectTypes[Name]>;
}

function objectOf(schema: GraphQLSchema, name: string): Record<string, unknown> {
  const type = schema.getType(name);
  if (!isObjectType(type)) throw new Error(`The schema has no object type "${name}".`);
  const members = Object.values(type.getFields()).map((field) => [
    field.name,
    plainest(schema, field.type, field.name),
  ]);
  return { __typename: name, ...Object.fromEntries(members) };
}

function plainest(schema: GraphQLSchema, type: GraphQLOutputType, member: string): unknown {
  if (!isNonNullType(type)) return null;
  const given = type.ofType;
  if (isListType(given)) return [];
  if (isEnumType(given)) return given.getValues()[0]?.name;
  if (isObjectType(given)) return objectOf(schema, given.name);
  if (isUnionType(given)) return objectOf(schema, String(given.getTypes()[0]));
  return Object.hasOwn(scalars, given.name) ? scalars[given.name] : member;
}
