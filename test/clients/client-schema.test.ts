/** `packages/client/src/schema.ts`: what the caches of the clients know about the schema. */
import {
  type FieldNode,
  type GraphQLUnionType,
  isObjectType,
  isUnionType,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { expect, it } from 'vitest';
import { introspection, possibleTypes } from '../../packages/client/src/schema.ts';
import { schema } from '../../src/schema.ts';
import { examples } from '../support/examples.ts';

/** The names of the members of a union. */
const membersOf = (union: GraphQLUnionType) =>
  union
    .getTypes()
    .map(({ name }) => name)
    .sort();

it('the introspection of the clients contains every object type with its fields, and every union', () => {
  const typeText = (type: any): string => {
    if (type.kind === 'NON_NULL') return `${typeText(type.ofType)}!`;
    return type.kind === 'LIST' ? `[${typeText(type.ofType)}]` : type.name;
  };
  const given = introspection.__schema.types.map((type) => [
    type.name,
    type.kind === 'OBJECT'
      ? type.fields.map((field) => `${field.name}: ${typeText(field.type)}`).sort()
      : type.possibleTypes.map(({ name }) => name),
  ]);
  const expected = Object.values(schema.getTypeMap()).flatMap((type) => {
    if (isUnionType(type)) return [[type.name, membersOf(type)]];
    if (!isObjectType(type) || type.name.startsWith('__')) return [];
    const fields = Object.values(type.getFields()).map((field) => `${field.name}: ${field.type}`);
    return [[type.name, fields.sort()]];
  });
  expect(Object.fromEntries(given)).toEqual(Object.fromEntries(expected));
});

it('the possible types name every union and its members', () => {
  const unions = Object.values(schema.getTypeMap()).filter(isUnionType);
  expect(possibleTypes).toEqual(Object.fromEntries(unions.map((union) => [union.name, membersOf(union)])));
});

it('the operations of the clients ask for the warnings of every write', () => {
  const types = new TypeInfo(schema);
  const asked = new Set<string>();
  const Field = ({ name }: FieldNode) =>
    void (name.value === 'warnings' && asked.add(String(types.getParentType())));
  visit(examples, visitWithTypeInfo(types, { Field }));
  const warned = Object.values(schema.getTypeMap()).filter(
    (type) => isObjectType(type) && type.getFields()['warnings'],
  );
  expect([...asked].sort()).toEqual(warned.map(String).sort());
});
