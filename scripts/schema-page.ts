/** Generates `docs/reference/schema.md`: every element of the schema with its description. */
import GithubSlugger from 'github-slugger';
import {
  type GraphQLArgument,
  type GraphQLEnumType,
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLScalarType,
  type GraphQLSchema,
  type GraphQLType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  isUnionType,
  print,
} from 'graphql';

function scalarSection({ specifiedByURL }: GraphQLScalarType): string[] {
  return specifiedByURL ? [`Specified by <${specifiedByURL}>.`] : [];
}

export function schemaPage(schema: GraphQLSchema): string {
  const roots = [
    ['Queries', schema.getQueryType()],
    ['Mutations', schema.getMutationType()],
    ['Subscriptions', schema.getSubscriptionType()],
  ] as const;
  const types = Object.values(schema.getTypeMap())
    .filter((type) => !type.name.startsWith('__') && !isSpecifiedScalarType(type))
    .filter((type) => !roots.some(([, root]) => root === type));
  const kinds = [
    ['Results', types.filter(isUnionType), unionSection],
    ['Objects', types.filter(isObjectType), objectSection],
    ['Inputs', types.filter(isInputObjectType), inputSection],
    ['Enums', types.filter(isEnumType), enumSection],
    ['Scalars', types.filter(isScalarType), scalarSection],
  ] as const;

  const lines = [
    '# Schema',
    'Generated from `schema.graphql` by `npm run generate`. `!` means never null, `[…]` a list.',
    ...roots.flatMap(([title, root]) => [
      `## ${title}`,
      oneLine(root?.description),
      ...Object.values(root?.getFields() ?? {}).flatMap((field) =>
        rootFieldSection(`${root?.name}.${field.name}`, field),
      ),
    ]),
    ...kinds.flatMap(([title, members, section]) => [
      `## ${title}`,
      ...members.flatMap((type) => [
        `### ${type.name}`,
        oneLine(type.description),
        ...(section as (type: GraphQLNamedType) => string[])(type),
      ]),
    ]),
  ];
  return `${lines.filter((line) => line !== '').join('\n\n')}\n`;
}

/** `coordinate`: as the heading it has another anchor than every type. */
function rootFieldSection(coordinate: string, field: GraphQLField<unknown, unknown>): string[] {
  return [
    `### ${coordinate}`,
    `Returns ${linked(field.type)}. ${oneLine(field.description)}`,
    field.args.length > 0 ? table(['argument', 'type', 'meaning'], field.args.map(argumentRow)) : '',
  ];
}

function objectSection(type: GraphQLObjectType): string[] {
  const fields = Object.values(type.getFields());
  return [
    table(
      ['field', 'type', 'meaning'],
      fields.flatMap(({ name, type: fieldType, description, args }) => [
        [`\`${name}\``, linked(fieldType), oneLine(description)],
        ...args.map((argument) => argumentRow(argument, name)),
      ]),
    ),
  ];
}

function inputSection(type: GraphQLInputObjectType): string[] {
  const rows = Object.values(type.getFields()).map((field) => argumentRow(field));
  return [
    ...(type.isOneOf ? ['Exactly one of its members is given.'] : []),
    table(['member', 'type', 'meaning'], rows),
  ];
}

function unionSection(type: GraphQLNamedType): string[] {
  return isUnionType(type) ? [`One of ${type.getTypes().map(linked).join(', ')}.`] : [];
}

function enumSection(type: GraphQLEnumType): string[] {
  const rows = type.getValues().map(({ name, description }) => [`\`${name}\``, oneLine(description)]);
  return [table(['value', 'meaning'], rows)];
}

/** A row about an argument. `of`: the name of its field, in a table of fields. */
function argumentRow(
  argument: Pick<GraphQLArgument, 'name' | 'type' | 'description' | 'default'>,
  of?: unknown,
): string[] {
  const name = typeof of === 'string' ? `${of}(${argument.name})` : argument.name;
  const literal = argument.default?.literal;
  const shownDefault = literal ? ` Default: \`${print(literal)}\`.` : '';
  return [`\`${name}\``, linked(argument.type), `${oneLine(argument.description)}${shownDefault}`];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** The type in GraphQL notation, with its name as a link to its section. */
function linked(type: GraphQLType): string {
  const { name } = getNamedType(type);
  const [before, after] = String(type).split(name) as [string, string];
  if (isSpecifiedScalarType(getNamedType(type))) return `\`${type}\``;
  return `${escaped(before)}[${name}](#${new GithubSlugger().slug(name)})${escaped(after)}`;
}

const escaped = (text: string) => text.replace(/[[\]]/g, '\\$&');

const oneLine = (text: string | null | undefined) => (text ?? '').replace(/\s+/g, ' ').trim();
