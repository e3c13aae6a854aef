/**
 * Limits of an operation's size, checked on its syntax before validation, in time linear to the length of its text. Length
 * and tokens are checked in valid-document.ts.
 */
import {
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  OperationTypeNode,
  type SelectionSetNode,
  type TypeNode,
  type ValueNode,
} from 'graphql';
import { quoted } from '../tools/shortened.ts';
import { type OperationRefusedError, refused } from './operation-request.ts';

export const operationLimits = {
  /** Longest text, in characters. Comments and blanks are not tokens, but take time and memory. */
  maxLength: 65_536,
  maxTokens: 2_000,
  /**
   * Most tokens of a subscription's document, which is held as long as the subscription lasts. A document with every field
   * of a status and 100 literal ids has half as many.
   */
  maxSubscriptionTokens: 400,
  /** Levels of fields. The deepest useful operation of the schema has 6. */
  maxDepth: 8,
  /** Levels of introspection fields. The standard introspection query has 15. */
  maxIntrospectionDepth: 20,
  /** Selections of one field in one selection set, with or without aliases, `__typename` included. */
  maxRepetitions: 30,
  /**
   * Comparisons of validation. graphql-js compares each pair of fields that have one name in one object of the result, which takes
   * 1 to 2 µs, and with arguments about four times as long.
   */
  maxComparisons: 10_000,
  maxQueryFields: 20,
  maxMutationFields: 10,
  /** Fields on all levels. A fragment counts each time it is spread. */
  maxFields: 2_000,
  /** The same in all operations of the document together: 300 operations can spread the same fragments. */
  maxDocumentFields: 10_000,
  maxDirectives: 20,
  maxFragments: 100,
  maxVariables: 100,
  /** Levels of lists, objects and types in each other. */
  maxNesting: 32,
};

type Counts = ReadonlyMap<string, number>;

/** The size of a selection set, with its fragments spread. */
interface Size {
  readonly fields: number;
  readonly depth: number;
  /** Number of direct selections of each field, by field name. */
  readonly counts: Counts;
}

/** What executing a document's operations takes in memory. */
export interface DocumentSize {
  /** Fields of all operations. A fragment counts each time it is spread. */
  readonly fields: number;
  /** Whether a variable decides about some of them, so that executions differ in their fields. */
  readonly isConditional: boolean;
  /** Values in all arguments: each execution reads those of its operation. */
  readonly literals: number;
  /** Whether a fragment spreads itself, or others that do, or several have one name. The document is invalid. */
  readonly hasInvalidFragments: boolean;
}

/** Returns the size of the document. Throws an `OperationRefusedError` that names the limit which it exceeds. */
export function checkLimits(document: DocumentNode): DocumentSize {
  let fieldsOfOperations = 0;
  let literals = 0;
  let isConditional = false;
  let hasInvalidFragments = false;
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.FRAGMENT_DEFINITION) continue;
    const name = definition.name.value;
    hasInvalidFragments ||= fragments.has(name);
    fragments.set(name, definition);
  }
  within(fragments.size, operationLimits.maxFragments, 'fragments');

  const sizes = new Map<string, Size>();
  const empty: Size = { fields: 0, depth: 0, counts: new Map() };

  function sizeOfFragment(name: string): Size {
    const known = sizes.get(name);
    hasInvalidFragments ||= known === empty;
    if (known) return known;
    const fragment = fragments.get(name);
    if (!fragment) return empty;
    // A fragment that spreads itself counts as empty in itself; validation refuses it later.
    sizes.set(name, empty);
    checkDirectives(fragment.directives);
    const size = sizeOf(fragment.selectionSet);
    sizes.set(name, size);
    return size;
  }

  function count(counts: Map<string, number>, name: string, times: number): void {
    const total = (counts.get(name) ?? 0) + times;
    within(total, operationLimits.maxRepetitions, `repetitions of the field ${quoted(name)}`);
    counts.set(name, total);
  }

  /** `counts`: those of the selection so far, of which an inline fragment is a part. */
  function sizeOf({ selections }: SelectionSetNode, counts = new Map<string, number>()): Size {
    let fields = 0;
    let depth = 0;
    for (const selection of selections) {
      checkDirectives(selection.directives);
      if (selection.kind === Kind.FIELD) {
        const name = selection.name.value;
        for (const { value } of selection.arguments ?? []) checkNesting(value, 0);
        const below = selection.selectionSet ? sizeOf(selection.selectionSet) : empty;
        count(counts, name, 1);
        fields += 1 + below.fields;
        const isIntrospection = name.startsWith('__');
        if (isIntrospection)
          within(1 + below.depth, operationLimits.maxIntrospectionDepth, 'levels of fields');
        depth = Math.max(depth, isIntrospection ? 1 : 1 + below.depth);
      } else {
        const spread =
          selection.kind === Kind.INLINE_FRAGMENT
            ? sizeOf(selection.selectionSet, counts)
            : sizeOfFragment(selection.name.value);
        if (spread.counts !== counts) for (const [name, times] of spread.counts) count(counts, name, times);
        fields += spread.fields;
        depth = Math.max(depth, spread.depth);
      }
      within(fields, operationLimits.maxFields, 'fields');
    }
    return { fields, depth, counts };
  }

  function checkDirectives(directives: readonly DirectiveNode[] = []): void {
    within(directives.length, operationLimits.maxDirectives, 'directives on one element');
    for (const directive of directives) {
      for (const { value } of directive.arguments ?? []) {
        checkNesting(value, 0);
        isConditional ||= value.kind === Kind.VARIABLE;
      }
    }
  }

  function checkNesting(node: ValueNode | TypeNode, level: number): void {
    within(level, operationLimits.maxNesting, 'levels of nesting');
    literals += 1;
    if (node.kind === Kind.LIST) for (const item of node.values) checkNesting(item, level + 1);
    else if (node.kind === Kind.OBJECT) for (const { value } of node.fields) checkNesting(value, level + 1);
    else if (node.kind === Kind.LIST_TYPE || node.kind === Kind.NON_NULL_TYPE)
      checkNesting(node.type, level + 1);
  }

  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    checkDirectives(definition.directives);
    within(definition.variableDefinitions?.length ?? 0, operationLimits.maxVariables, 'variables');
    for (const { type, defaultValue, directives } of definition.variableDefinitions ?? []) {
      checkNesting(type, 0);
      if (defaultValue) checkNesting(defaultValue, 0);
      checkDirectives(directives);
    }
    const { counts, depth, fields } = sizeOf(definition.selectionSet);
    fieldsOfOperations += fields;
    within(fieldsOfOperations, operationLimits.maxDocumentFields, 'fields in all operations of the document');
    within(depth, operationLimits.maxDepth, 'levels of fields');
    const isMutation = definition.operation === OperationTypeNode.MUTATION;
    const rootFields = [...counts.values()].reduce((sum, times) => sum + times, 0);
    within(
      rootFields,
      isMutation ? operationLimits.maxMutationFields : operationLimits.maxQueryFields,
      'root fields',
    );
  }
  // Check unused fragments too, because validation visits them.
  for (const name of fragments.keys()) sizeOfFragment(name);
  if (!hasInvalidFragments) checkComparisons(document, fragments);
  return { fields: fieldsOfOperations, literals, isConditional, hasInvalidFragments };
}

/** Throws when validation would compare too many pairs of fields. No fragment may spread itself. */
function checkComparisons(
  { definitions }: DocumentNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): void {
  let comparisons = 0;
  const compared = new Set<SelectionSetNode>();
  const used = new Set<string>();

  /** Adds the fields of a selection by their name in the result. `followed`: fragments whose fields have been added. */
  function collect(
    { selections }: SelectionSetNode,
    byName: Map<string, FieldNode[]>,
    followed: Set<string>,
  ) {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        byName.getOrInsertComputed((selection.alias ?? selection.name).value, () => []).push(selection);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        collect(selection.selectionSet, byName, followed);
      } else if (!followed.has(selection.name.value)) {
        followed.add(selection.name.value);
        used.add(selection.name.value);
        const fragment = fragments.get(selection.name.value);
        if (fragment) collect(fragment.selectionSet, byName, followed);
      }
    }
  }

  /** Counts the pairs in one object of the result, which the selections together describe, and in those below it. */
  function compare(selectionSets: readonly SelectionSetNode[]): void {
    const [first, second] = selectionSets;
    if (!first || (!second && compared.has(first))) return;
    if (!second) compared.add(first);
    const byName = new Map<string, FieldNode[]>();
    const followed = new Set<string>();
    for (const selectionSet of selectionSets) collect(selectionSet, byName, followed);
    for (const fields of byName.values()) {
      comparisons += ((fields.length * (fields.length - 1)) / 2) * costOfPair(fields);
      within(comparisons, operationLimits.maxComparisons, 'comparisons of fields with the same name');
      compare(fields.flatMap(({ selectionSet }) => selectionSet ?? []));
    }
  }

  for (const definition of definitions)
    if (definition.kind === Kind.OPERATION_DEFINITION) compare([definition.selectionSet]);
  for (const [name, { selectionSet }] of fragments) if (!used.has(name)) compare([selectionSet]);
}

/**
 * How many comparisons a pair of these fields counts as. One without arguments, alias and selection takes less time than a
 * twentieth, but beyond 250,000 of them graphql-js refuses the document without a reason.
 */
function costOfPair(fields: readonly FieldNode[]): number {
  if (fields.some((field) => field.arguments?.length)) return 4;
  return fields.some(({ alias, selectionSet }) => alias ?? selectionSet) ? 1 : 1 / 20;
}

function within(size: number, limit: number, what: string): void {
  if (size > limit) throw tooExpensive(`The operation has more than ${limit} ${what}.`);
}

export function tooExpensive(message: string): OperationRefusedError {
  return refused('OPERATION_TOO_EXPENSIVE', message);
}
