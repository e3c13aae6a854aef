/** Generates `test-kit/schema-types.ts`: the schema's types, and the handlers of its root fields, for `folioHandlers`. */
import {
  type GraphQLEnumType,
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLScalarType,
  type GraphQLSchema,
  type GraphQLUnionType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredInputField,
  isScalarType,
  isSpecifiedScalarType,
  isUnionType,
} from 'graphql';
import clientCodegen from '../examples/clients/codegen.config.ts';
import { errorCodes } from '../src/errors.ts';
import { credentialHeaders } from '../src/sandbox/credentials.ts';
import { endpointNames } from '../src/sandbox/named-endpoints.ts';

/** As the client recipes type them. */
const ownScalars: Readonly<Record<string, string | { readonly input: string; readonly output: string }>> =
  clientCodegen.generates['src/gql/'].config.scalars;

export function testKitTypes(schema: GraphQLSchema): string {
  const roots = [schema.getQueryType(), schema.getMutationType()].filter((type) => type != null);
  const isRoot = (type: unknown) => [...roots, schema.getSubscriptionType()].some((root) => root === type);
  const types = Object.values(schema.getTypeMap()).filter(
    (type) => !type.name.startsWith('__') && !isSpecifiedScalarType(type) && !isRoot(type),
  );
  const definitions = [
    ...types.filter(isScalarType).map(scalarDefinition),
    ...types.filter(isEnumType).map(enumDefinition),
    ...types.filter(isInputObjectType).map(inputDefinition),
    ...types.filter(isObjectType).map(objectDefinition),
    ...types.filter(isUnionType).map(unionDefinition),
  ];
  const handlers = roots.flatMap((type) => Object.values(type.getFields()).map(handlerMember));
  const events = Object.values(schema.getSubscriptionType()?.getFields() ?? {}).map(eventsMember);
  const objects = types.filter(isObjectType).map(({ name }) => `  ${name}: ${name};`);
  return `/** Generated from the gateway's schema. Do not edit. */

export type ErrorCode = ${wordsOf(errorCodes)};

/** An endpoint of the service, as the sandbox names it. */
export type SandboxEndpoint = ${wordsOf(endpointNames)};

/** A header that the sandbox requires, in lower case. */
export type CredentialHeader = ${wordsOf(Object.values(credentialHeaders))};

${definitions.join('\n\n')}

/** The value of a root field for its arguments. Fields that no operation of a test selects can be left out. */
export interface Handlers {
${handlers.join('\n')}
${events.join('\n')}
}

/** The object types by their names. */
export interface ObjectTypes {
${objects.join('\n')}
}
`;
}

function wordsOf(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(' | ');
}

function scalarDefinition({ name }: GraphQLScalarType): string {
  const type = ownScalars[name];
  if (type === undefined) throw new Error(`The scalar ${name} has no type in codegen.config.ts.`);
  // The input types of a scalar include that of its output.
  return `export type ${name} = ${typeof type === 'string' ? type : type.input};`;
}

function enumDefinition(type: GraphQLEnumType): string {
  return `export type ${type.name} = ${wordsOf(type.getValues().map(({ name }) => name))};`;
}

function inputDefinition(type: GraphQLInputObjectType): string {
  const fields = Object.values(type.getFields());
  if (type.isOneOf) {
    const choices = fields.map((field) => `{ readonly ${field.name}: ${bareType(field.type)} }`);
    return `export type ${type.name} = ${choices.join(' | ')};`;
  }
  const members = fields.map(
    (field) => `  readonly ${field.name}${isRequiredInputField(field) ? '' : '?'}: ${typeOf(field.type)};`,
  );
  return `export interface ${type.name} {\n${members.join('\n')}\n}`;
}

function objectDefinition(type: GraphQLObjectType): string {
  const members = Object.values(type.getFields()).map(({ name, type }) => `  ${name}?: ${typeOf(type)};`);
  return `export interface ${type.name} {\n  __typename?: '${type.name}';\n${members.join('\n')}\n}`;
}

/** The name of the type decides which member of a union a value is. */
function unionDefinition(type: GraphQLUnionType): string {
  const members = type.getTypes().map(({ name }) => `(${name} & { __typename: '${name}' })`);
  return `export type ${type.name} = ${members.join(' | ')};`;
}

function handlerMember({ name, args, type }: GraphQLField<unknown, unknown>): string {
  const members = args.map((arg) => `${arg.name}${isNonNullType(arg.type) ? '' : '?'}: ${typeOf(arg.type)}`);
  const variables = members.length > 0 ? `variables: { ${members.join('; ')} }` : '';
  const value = typeOf(type);
  return `  ${name}?: (${variables}) => ${value} | Promise<${value}>;`;
}

/** A subscription: its events, one after the other. */
function eventsMember({ name, args, type }: GraphQLField<unknown, unknown>): string {
  const members = args.map((arg) => `${arg.name}: ${typeOf(arg.type)}`);
  const value = typeOf(type);
  return `  ${name}?: (variables: { ${members.join('; ')} }) => Iterable<${value}> | AsyncIterable<${value}>;`;
}

function typeOf(type: GraphQLInputType | GraphQLOutputType): string {
  return isNonNullType(type) ? bareType(type.ofType) : `${bareType(type)} | null`;
}

/** A type that is never null. */
function bareType(type: GraphQLInputType | GraphQLOutputType): string {
  if (isListType(type)) return `ReadonlyArray<${typeOf(type.ofType)}>`;
  return specified[String(type)] ?? String(type);
}

const specified: Readonly<Record<string, string>> = {
  ID: 'string',
  String: 'string',
  Int: 'number',
  Float: 'number',
  Boolean: 'boolean',
};
