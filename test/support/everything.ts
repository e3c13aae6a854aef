/** A schema that covers everything an executor has to handle. */
import { buildSchema, GraphQLError, type GraphQLScalarType, isAbstractType, isObjectType } from 'graphql';
import { mockIsTypeOf, mockResolver, mockTypeResolver } from './mock.ts';
import { inputs, type ScalarInputs } from './random-operation.ts';

const definition = /* GraphQL */ `
  "The field has a resolver. Without it the field is read as a property."
  directive @resolved on FIELD_DEFINITION
  "The type has isTypeOf (@checked) or resolveType (@typed). Without them graphql-js uses __typename."
  directive @checked on OBJECT
  directive @typed on UNION | INTERFACE

  scalar Even
  scalar Anything
  enum Colour { RED GREEN BLUE }

  input Point { x: Int! = 1, y: Float = 2.5, tags: [String!] = ["a"], next: Point, colour: Colour = RED, any: Anything }
  input Choice @oneOf { id: ID, name: String, point: Point, ids: [ID!] }

  interface Node @typed { id: ID! self: Node @resolved }
  interface Named implements Node { id: ID! self: Named @resolved name(upper: Boolean = false): String }

  type Cat implements Named & Node @checked {
    id: ID!
    self: Cat @resolved
    name(upper: Boolean = false): String
    lives: Int!
    friend: Pet
    kittens: [Cat!]
  }
  type Dog implements Named & Node @checked {
    id: ID!
    self: Dog @resolved
    name(upper: Boolean = false): String @resolved
    barks: Boolean
    friends: [Pet!]! @resolved
    owner: Node
  }
  type Stone implements Node {
    id: ID! @resolved
    self: Stone @resolved
    weight: Float!
    colour: Colour
    colours: [[Colour!]]
    even: Even!
    any: Anything
    parts: [Stone!]!
    matrix: [[Even]!] @resolved
  }
  union Pet @typed = Cat | Dog
  union Thing = Cat | Dog | Stone

  type Query {
    cat: Cat @resolved
    pet(choice: Choice): Pet @resolved
    pets(first: Int! = 2, colours: [Colour!] = [RED]): [Pet] @resolved
    node(id: ID!): Node @resolved
    nodes(ids: [ID!]!): [Node!]! @resolved
    named: Named
    thing: Thing
    things: [Thing!] @resolved
    stone(point: Point = { x: 3 }, even: Even): Stone! @resolved
    stones: [[Stone!]!]
    echo(any: Anything, points: [Point!], choice: Choice): String @resolved
    greeting: String!
    number: Int
    even: Even @resolved
  }
  type Mutation {
    paint(colour: Colour!, point: Point): Stone @resolved
    adopt(choice: Choice!): Pet! @resolved
    count: Int! @resolved
    greeting: String
  }
  type Subscription { ticks: Int @resolved stone: Stone @resolved }
`;

export const everything = buildSchema(definition);

for (const type of Object.values(everything.getTypeMap())) {
  const has = (name: string) => type.astNode?.directives?.some((directive) => directive.name.value === name);
  if (isObjectType(type) && has('checked')) type.isTypeOf = mockIsTypeOf(type.name);
  if (isAbstractType(type) && has('typed')) type.resolveType = mockTypeResolver();
  if (!isObjectType(type)) continue;
  for (const field of Object.values(type.getFields())) {
    if (field.astNode?.directives?.some(({ name }) => name.value === 'resolved'))
      field.resolve = mockResolver();
  }
}

const even = everything.getType('Even') as GraphQLScalarType;
even.coerceOutputValue = (value) => {
  if (typeof value === 'number' && value % 2 === 1) throw new GraphQLError(`${value} is odd.`);
  return value === 10 ? null : value;
};
even.coerceInputValue = (value) => {
  if (typeof value !== 'number' || value % 2 !== 0) throw new TypeError('Even takes even numbers.');
  return { even: value };
};

export const everythingScalars: Readonly<Record<string, ScalarInputs>> = {
  Boolean: inputs(['true', 'false'], [true, false], ['1', '"true"'], ['true', 0]),
  Int: inputs(['0', '-7'], [0, 42], ['1.5', '99999999999'], ['1', 1.5, 2 ** 40]),
  Float: inputs(['1', '2.5e3'], [1.25, -1], ['"1"'], [Number.NaN, '1']),
  String: inputs(['"text"', '""', '"""block"""'], ['text', ''], ['1', 'text'], [1, {}]),
  ID: inputs(['"4711"', '4711'], ['4711', 4711], ['1.5', 'true'], [1.5, true]),
  Even: inputs(['2', '-4'], [0, 8], ['3', '"2"'], [7, '2']),
  Anything: inputs(
    ['"text"', '{ a: [1, null, { b: RED }] }', '{ a: $, b: [$, { c: $ }] }', '[true, 1.5, $]'],
    ['text', { a: [1, null] }, [[]]],
    ['{ a: 1, a: 2 }'],
    [null],
  ),
};

export const everythingOutputs: Readonly<Record<string, readonly unknown[]>> = {
  Boolean: [true, false, 1],
  Int: [0, -7, '42', true],
  Float: [0.5, '1e3', 7],
  String: ['text', '', 4711, true],
  ID: ['4711', 4711],
  Even: [0, 2, 4, -8],
  Anything: ['text', { a: [1, null] }, [], new Date(0), 0],
};
