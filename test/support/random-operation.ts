/** Generates random operations for any schema: mostly valid, with errors on request. */
import {
  type GraphQLArgument,
  type GraphQLCompositeType,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLNamedInputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredArgument,
  isRequiredInputField,
  isUnionType,
} from 'graphql';
import type { Random } from './random.ts';

/** Inputs of a scalar; the bad ones are used for flaws. In literals, `$` is replaced by a variable. */
export interface ScalarInputs {
  readonly literals: readonly string[];
  readonly values: readonly unknown[];
  readonly badLiterals: readonly string[];
  readonly badValues: readonly unknown[];
}

export const inputs = (
  literals: readonly string[],
  values: readonly unknown[],
  badLiterals: readonly string[],
  badValues: readonly unknown[],
): ScalarInputs => ({ literals, values, badLiterals, badValues });

export interface RandomOperationOptions {
  readonly schema: GraphQLSchema;
  readonly random: Random;
  readonly scalars: Readonly<Record<string, ScalarInputs>>;
  /** Approximate number of fields. */
  readonly size: number;
  /** Probability (0 to 1) of an error at each place. */
  readonly flaws: number;
}

const aliases = ['a', 'b', 'c', 'constructor', '__proto__', 'then', 'toJSON'];

export function randomOperation({ schema, random, scalars, size, flaws }: RandomOperationOptions) {
  let fieldsLeft = size;
  const variables = new Map<string, { readonly type: GraphQLInputType; readonly defaultValue: string }>();
  const fragments: { readonly name: string; readonly type: GraphQLCompositeType; readonly text: string }[] =
    [];
  const composites = Object.values(schema.getTypeMap()).filter(
    (type) => isCompositeType(type) && !type.name.startsWith('__'),
  ) as GraphQLCompositeType[];

  const roots = [schema.getQueryType(), schema.getQueryType(), schema.getMutationType()];
  const root = random.pick(roots.filter((type) => type !== undefined && type !== null));
  const kind = root === schema.getMutationType() ? 'mutation' : 'query';
  const selections = selectionSet(root, 5);
  const definitions = [...variables].map(
    ([name, { type, defaultValue }]) => `$${name}: ${type}${defaultValue && ` = ${defaultValue}`}`,
  );
  const head = definitions.length > 0 ? `${kind} Q(${definitions.join(', ')})` : kind;
  return {
    text: [`${head} ${selections}`, ...fragments.map(({ text }) => text)].join('\n'),
    /** Returns new values for the operation's variables at each call. */
    variables: (): Record<string, unknown> =>
      Object.fromEntries(
        [...variables].flatMap(([name, { type, defaultValue }]) => {
          const isOptional = !isNonNullType(type) || defaultValue !== '';
          if (isOptional ? random.chance(0.2) : isFlawed()) return [];
          return [[name, value(type)]];
        }),
      ),
  };

  function isFlawed(): boolean {
    return flaws > 0 && random.chance(flaws);
  }

  function selectionSet(type: GraphQLCompositeType, depth: number): string {
    const count = 1 + random.below(depth > 3 ? 5 : 4);
    return `{ ${Array.from({ length: count }, () => selection(type, depth)).join(' ')} }`;
  }

  function selection(type: GraphQLCompositeType, depth: number): string {
    fieldsLeft -= 1;
    if (depth > 0 && random.chance(isAbstractType(type) ? 0.5 : 0.15)) {
      if (random.chance(0.4)) return `...${fragmentOn(type, depth)}${directives()}`;
      const on = random.chance(0.8) ? overlapping(type) : undefined;
      return `...${on ? ` on ${on}` : ''}${directives()} ${selectionSet(on ?? type, depth - 1)}`;
    }
    return field(type, depth);
  }

  /** A type that objects of this type may have too; any type as a flaw. */
  function overlapping(type: GraphQLCompositeType): GraphQLCompositeType {
    if (isFlawed()) return random.pick(composites);
    const objects = new Set(isAbstractType(type) ? schema.getPossibleTypes(type) : [type]);
    return random.pick(
      composites.filter((other) =>
        isAbstractType(other)
          ? schema.getPossibleTypes(other).some((object) => objects.has(object))
          : objects.has(other),
      ),
    );
  }

  function fragmentOn(type: GraphQLCompositeType, depth: number): string {
    const on = overlapping(type);
    const written = fragments.filter((fragment) => fragment.type === on);
    if (written.length > 0 && random.chance(0.6)) return random.pick(written).name;
    const body = selectionSet(on, depth - 1);
    const name = `F${fragments.length}`;
    fragments.push({ name, type: on, text: `fragment ${name} on ${on} ${body}` });
    return name;
  }

  function field(type: GraphQLCompositeType, depth: number): string {
    if (isFlawed()) return 'noSuchField';
    const fields = isUnionType(type) ? [] : Object.values(type.getFields());
    const isTooMuch = depth === 0 || fieldsLeft < 0;
    const choices = isTooMuch ? fields.filter((one) => !isCompositeType(getNamedType(one.type))) : fields;
    if (choices.length === 0 || random.chance(0.06)) {
      return `${random.chance(0.3) ? `${random.pick(aliases)}T: ` : ''}__typename${directives()}`;
    }
    const { name, args, type: fieldType } = random.pick(choices);
    const given = argumentsOf(args);
    const named = getNamedType(fieldType);
    const below = isCompositeType(named) && !isFlawed() ? ` ${selectionSet(named, depth - 1)}` : '';
    return `${aliasFor(name, given)}${name}${given}${directives()}${below}`;
  }

  /** Fields with the same response name must be the same field with the same arguments. */
  function aliasFor(name: string, given: string): string {
    if (isFlawed()) return `${random.pick(aliases)}: `;
    if (given !== '') return `${name}_${[...given].reduce((sum, one) => sum + one.charCodeAt(0), 0)}: `;
    return random.chance(0.15) ? `${random.pick(aliases)}_${name}: ` : '';
  }

  function directives(): string {
    if (!random.chance(0.12)) return '';
    const condition = () =>
      random.chance(0.5)
        ? variable(random.chance(0.9) ? 'Boolean!' : 'Boolean')
        : random.pick(['true', 'false']);
    const one = () => ` @${random.pick(['skip', 'include'])}(if: ${isFlawed() ? '"yes"' : condition()})`;
    if (random.chance(0.15)) return ` @skip(if: ${condition()}) @include(if: ${condition()})`;
    return one();
  }

  function argumentsOf(args: readonly GraphQLArgument[]): string {
    const given = args.flatMap((arg) => {
      const isGiven = isRequiredArgument(arg) ? !isFlawed() : random.chance(0.5);
      return isGiven ? [`${arg.name}: ${literal(arg.type, 3)}`] : [];
    });
    return given.length > 0 ? `(${given.join(', ')})` : '';
  }

  /** A variable of this type, declared already or by this call. */
  function variable(type: GraphQLInputType | 'Boolean!' | 'Boolean'): string {
    if (isFlawed()) return '$undeclared';
    const known = [...variables].filter(([, declared]) => String(declared.type) === String(type));
    if (known.length > 0 && random.chance(0.5)) return `$${random.pick(known)[0]}`;
    const name = `v${variables.size}`;
    const declared = typeof type === 'string' ? typeNamed(type) : type;
    // Without a default, a condition would not accept a nullable variable.
    const hasDefault = type === 'Boolean' || random.chance(0.3);
    const defaultValue = hasDefault ? literal(declared, 0) : '';
    variables.set(name, { type: declared, defaultValue });
    return `$${name}`;
  }

  function typeNamed(type: 'Boolean!' | 'Boolean'): GraphQLInputType {
    const argument = schema.getDirective('skip')?.args[0] as GraphQLArgument;
    return type === 'Boolean!' ? argument.type : (getNamedType(argument.type) as GraphQLNamedInputType);
  }

  function literal(type: GraphQLInputType, variableDepth: number): string {
    if (isFlawed()) return random.pick(['null', '{ no: 1 }', '[[]]', 'NO', '"no"', '-1.5e400']);
    if (variableDepth > 0 && random.chance(0.3)) return variable(type);
    if (!isNonNullType(type) && random.chance(0.08)) return 'null';
    return soundLiteral(type, variableDepth);
  }

  function soundLiteral(type: GraphQLInputType, variableDepth: number): string {
    if (isNonNullType(type)) return soundLiteral(type.ofType, variableDepth);
    if (isListType(type)) {
      if (random.chance(0.2)) return soundLiteral(type.ofType, variableDepth);
      return `[${Array.from({ length: random.below(3) }, () => literal(type.ofType, variableDepth)).join(', ')}]`;
    }
    if (isEnumType(type)) return random.pick(type.getValues()).name;
    if (isInputObjectType(type)) {
      const members = givenMembers(Object.values(type.getFields()), type.isOneOf);
      // A member of a @oneOf must not be null, nor a variable that may be null.
      return `{ ${members.map(({ name, type: of }) => `${name}: ${type.isOneOf ? soundLiteral(of, 0) : literal(of, variableDepth)}`).join(', ')} }`;
    }
    const { literals, badLiterals } = inputsOf(type);
    const text = random.pick(isFlawed() ? badLiterals : literals);
    return text.replaceAll('$', () => (variableDepth > 0 ? variable(type) : 'null'));
  }

  function value(type: GraphQLInputType): unknown {
    if (isFlawed()) return random.pick([null, undefined, {}, [[]], 'no', -1.5, true, { __proto__: null }]);
    if (isNonNullType(type)) return soundValue(type.ofType);
    return random.chance(0.1) ? null : soundValue(type);
  }

  function soundValue(type: GraphQLInputType): unknown {
    if (isNonNullType(type)) return soundValue(type.ofType);
    if (isListType(type)) {
      if (random.chance(0.2)) return soundValue(type.ofType);
      return Array.from({ length: random.below(4) }, () => value(type.ofType));
    }
    if (isEnumType(type)) return random.pick(type.getValues()).name;
    if (isInputObjectType(type)) {
      const members = givenMembers(Object.values(type.getFields()), type.isOneOf);
      return Object.fromEntries(
        members.map(({ name, type: of }) => [name, type.isOneOf ? soundValue(of) : value(of)]),
      );
    }
    const { values, badValues } = inputsOf(type);
    return random.pick(isFlawed() ? badValues : values);
  }

  function givenMembers(fields: readonly GraphQLInputField[], isOneOf: boolean): GraphQLInputField[] {
    if (isOneOf) return isFlawed() ? fields.slice(random.below(2)) : [random.pick(fields)];
    return fields.filter((one) => (isRequiredInputField(one) ? !isFlawed() : random.chance(0.4)));
  }

  function inputsOf({ name }: GraphQLNamedInputType): ScalarInputs {
    const inputs = scalars[name];
    if (!inputs) throw new Error(`no inputs for ${name}`);
    return inputs;
  }
}
