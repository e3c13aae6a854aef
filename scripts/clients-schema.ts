/** Generates `packages/client/src/schema.ts`: the types that the caches of the client recipes need. */
import {
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type GraphQLUnionType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
} from 'graphql';

export function clientsSchema(schema: GraphQLSchema): string {
  const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
  const unions = types.filter(isUnionType);
  const introspected = [...types.filter(isObjectType).map(objectType), ...unions.map(unionType)];
  const root = (type: GraphQLObjectType | undefined | null) => JSON.stringify(type && { name: type.name });
  return `/** Generated from the gateway's schema: the types that a normalised cache needs. Do not edit. */

/** Introspection of the object types and unions, without descriptions and arguments. */
export const introspection = {
  __schema: {
    queryType: ${root(schema.getQueryType())},
    mutationType: ${root(schema.getMutationType())},
    subscriptionType: ${root(schema.getSubscriptionType())},
    types: [
${introspected.map((type) => `      ${JSON.stringify(type)},`).join('\n')}
    ],
  },
} as const;

/** The members of each union: without them a cache can only guess which fragment an object matches. */
export const possibleTypes = {
${unions.map((union) => `  ${union.name}: ${JSON.stringify(memberNames(union))},`).join('\n')}
};
`;
}

function objectType(type: GraphQLObjectType): object {
  const fields = Object.values(type.getFields()).map((field) => ({
    name: field.name,
    type: typeReference(field.type),
    args: [],
  }));
  return { kind: 'OBJECT', name: type.name, fields, interfaces: [] };
}

function unionType(type: GraphQLUnionType): object {
  const possibleTypes = memberNames(type).map((name) => ({ kind: 'OBJECT', name }));
  return { kind: 'UNION', name: type.name, possibleTypes };
}

function memberNames(union: GraphQLUnionType): string[] {
  return union.getTypes().map(({ name }) => name);
}

function typeReference(type: GraphQLOutputType): object {
  if (isNonNullType(type)) return { kind: 'NON_NULL', ofType: typeReference(type.ofType) };
  if (isListType(type)) return { kind: 'LIST', ofType: typeReference(type.ofType) };
  const kind = isObjectType(type) ? 'OBJECT' : isUnionType(type) ? 'UNION' : 'SCALAR';
  return { kind, name: type.name };
}
