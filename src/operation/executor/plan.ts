/** The execution plan of a document, computed once and kept with it: its fields by object type, fragments merged. */
import {
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNullableType,
  isLeafType,
  Kind,
  type OperationDefinitionNode,
  TypeNameMetaFieldDef,
  type ValidatedExecutionArgs,
  visit,
} from 'graphql';
import {
  collectFields,
  collectSubfields,
  type FieldDetailsList,
  type GroupedFieldSet,
} from 'graphql/execution/collectFields.js';
import { objectTemplate } from '../../tools/object-template.ts';

/** One field of a selection set, on one object type. */
export interface FieldPlan {
  readonly responseName: string;
  readonly parentType: GraphQLObjectType;
  readonly definition: GraphQLField<unknown, unknown>;
  /** All selections of this field in the document. The first one has its arguments. */
  readonly details: FieldDetailsList;
  readonly nodes: readonly [FieldNode, ...FieldNode[]];
  readonly isTypename: boolean;
  /** The type of a leaf field without resolver and arguments, which is read as a property. Undefined for others. */
  readonly leafType: GraphQLLeafType | undefined;
}

/** A selection set on one object type: its fields in the order of the result, fragments merged. */
export interface SelectionPlan {
  readonly fields: readonly FieldPlan[];
  /** Total characters of the response names, and of the type names that `__typename` returns. */
  readonly nameLength: number;
  /** An object of the result before its members have their values. */
  readonly template: Readonly<Record<string, unknown>>;
}

interface RootPlan {
  readonly selection: SelectionPlan;
  /** The same fields as graphql-js groups them, for the serial execution of a mutation. */
  readonly grouped: GroupedFieldSet;
}

/** The planned selection sets of an operation. Each is planned when an execution first reaches it. */
export class OperationPlan {
  #root: RootPlan | undefined;
  readonly #selections = new Map<FieldDetailsList, Map<GraphQLObjectType, SelectionPlan>>();

  /** The root fields. `type`: of the operation. */
  root(type: GraphQLObjectType, args: ValidatedExecutionArgs): RootPlan {
    if (!this.#root) {
      const { schema, fragments, variableValues, operation, hideSuggestions } = args;
      const { selectionSet } = operation;
      const { groupedFieldSet } = collectFields(
        schema,
        fragments,
        variableValues,
        type,
        selectionSet,
        hideSuggestions,
      );
      this.#root = { selection: planSelection(schema, type, groupedFieldSet), grouped: groupedFieldSet };
    }
    return this.#root;
  }

  /** The selection below a field on an object of this type. `details`: all selections of the field. */
  selection(type: GraphQLObjectType, details: FieldDetailsList, args: ValidatedExecutionArgs): SelectionPlan {
    const known = this.#selections.get(details)?.get(type);
    if (known) return known;
    const { schema, fragments, variableValues, hideSuggestions } = args;
    const { groupedFieldSet } = collectSubfields(
      schema,
      fragments,
      variableValues,
      type,
      details,
      hideSuggestions,
    );
    const selection = planSelection(schema, type, groupedFieldSet);
    this.#selections.getOrInsertComputed(details, () => new Map()).set(type, selection);
    return selection;
  }
}

function planSelection(
  schema: GraphQLSchema,
  parentType: GraphQLObjectType,
  grouped: GroupedFieldSet,
): SelectionPlan {
  const fields: FieldPlan[] = [];
  let nameLength = 0;
  for (const [responseName, details] of grouped) {
    const nodes = details.map(({ node }) => node) as [FieldNode, ...FieldNode[]];
    const definition = schema.getField(parentType, nodes[0].name.value);
    if (!definition) continue;
    const type = getNullableType(definition.type);
    const isProperty = !definition.resolve && definition.args.length === 0;
    const isTypename = definition === TypeNameMetaFieldDef;
    nameLength += responseName.length + (isTypename ? parentType.name.length : 0);
    fields.push({
      responseName,
      parentType,
      definition,
      details,
      nodes,
      isTypename,
      leafType: isProperty && isLeafType(type) ? type : undefined,
    });
  }
  return { fields, nameLength, template: objectTemplate(fields.map(({ responseName }) => responseName)) };
}

/** Each condition can double the plans, which count as their document's memory. Others are not kept. */
export const maxPlansPerOperation = 4;

/** The plans of each operation by the values of its @skip and @include conditions, and the variables that these use. */
const plansByOperation = new WeakMap<
  OperationDefinitionNode,
  { readonly conditions: readonly string[]; readonly byConditions: Map<string, OperationPlan> }
>();

export function planOf({ document, operation, variableValues }: ValidatedExecutionArgs): OperationPlan {
  const { conditions, byConditions } = plansByOperation.getOrInsertComputed(operation, () => ({
    conditions: conditionsOf(document),
    byConditions: new Map(),
  }));
  const { coerced } = variableValues;
  // Of a selection in which a condition is null, nothing is planned: collecting its fields is an error.
  const key = conditions.map((name) => coerced[name]).join();
  let plan = byConditions.get(key);
  if (!plan) {
    if (byConditions.size === maxPlansPerOperation) byConditions.clear();
    plan = new OperationPlan();
    byConditions.set(key, plan);
  }
  return plan;
}

/** The variables in all conditions of the document. Those of other operations have no value. */
function conditionsOf(document: DocumentNode): string[] {
  const conditions = new Set<string>();
  visit(document, {
    Directive({ name, arguments: values = [] }) {
      if (name.value !== 'skip' && name.value !== 'include') return;
      for (const { value } of values) if (value.kind === Kind.VARIABLE) conditions.add(value.name.value);
    },
  });
  return [...conditions];
}
