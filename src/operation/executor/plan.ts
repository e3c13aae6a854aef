/** What executing an operation takes that is the same each time: found once, kept with its document. */
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
  collectSubfields,
  type FieldDetailsList,
  type GroupedFieldSet,
} from 'graphql/execution/collectFields.js';

/** One field of a selection set, on one object type. */
export interface FieldPlan {
  readonly responseName: string;
  readonly name: string;
  readonly parentType: GraphQLObjectType;
  readonly definition: GraphQLField<unknown, unknown>;
  /** All places in the document that ask for this field; the first gives its arguments. */
  readonly details: FieldDetailsList;
  readonly nodes: readonly [FieldNode, ...FieldNode[]];
  readonly isTypename: boolean;
  /** The type of a field that is a property and nothing more: no resolver, no arguments, no fields of its own. */
  readonly leafType: GraphQLLeafType | undefined;
}

/** A selection set on one object type: its fields in the order of the answer, fragments merged. */
export interface SelectionPlan {
  readonly fields: readonly FieldPlan[];
  /** Characters of all names in the answer, those of types that `__typename` gives included. */
  readonly nameLength: number;
}

export interface RootPlan {
  readonly selection: SelectionPlan;
  /** The same as graphql-js has it, whose way it is to execute them one after the other. */
  readonly grouped: GroupedFieldSet;
}

/** The selection sets of an operation, each planned when an execution first comes to it. */
export class OperationPlan {
  #root: RootPlan | undefined;
  readonly #selections = new Map<FieldDetailsList, Map<GraphQLObjectType, SelectionPlan>>();

  /** `collect`: the root fields as graphql-js collects them; called for the first execution alone. */
  root(
    schema: GraphQLSchema,
    type: GraphQLObjectType,
    collect: () => { readonly groupedFieldSet: GroupedFieldSet },
  ): RootPlan {
    if (!this.#root) {
      const { groupedFieldSet } = collect();
      this.#root = { selection: planSelection(schema, type, groupedFieldSet), grouped: groupedFieldSet };
    }
    return this.#root;
  }

  /** What the field of these details selects on an object of this type. */
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
      name: definition.name,
      parentType,
      definition,
      details,
      nodes,
      isTypename,
      leafType: isProperty && isLeafType(type) ? type : undefined,
    });
  }
  return { fields, nameLength };
}

/** The plans of one operation: @skip and @include choose between them. */
interface OperationPlans {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  /** The variables that conditions ask for; undefined: the operation is not to be planned. */
  readonly conditions: readonly string[] | undefined;
  readonly byConditions: Map<string, OperationPlan>;
}

/** A condition can double an operation's plans, and each takes almost half of its document's memory: more are made anew. */
const maxPlansPerOperation = 4;

const plansByOperation = new WeakMap<OperationDefinitionNode, OperationPlans>();

/** The plan to execute these arguments by; undefined when graphql-js has to do it alone. */
export function planOf(args: ValidatedExecutionArgs): OperationPlan | undefined {
  const { conditions, byConditions } = plansOf(args);
  if (!conditions) return undefined;
  const { coerced } = args.variableValues;
  const values = conditions.map((name) => coerced[name]);
  // A condition without a value is an error, which is told anew each time.
  if (!values.every((value) => typeof value === 'boolean')) return new OperationPlan();
  const key = values.join();
  let plan = byConditions.get(key);
  if (!plan) {
    if (byConditions.size === maxPlansPerOperation) byConditions.clear();
    plan = new OperationPlan();
    byConditions.set(key, plan);
  }
  return plan;
}

function plansOf({ schema, document, operation, fragments }: ValidatedExecutionArgs): OperationPlans {
  let plans = plansByOperation.get(operation);
  if (plans?.schema !== schema || plans.document !== document) {
    const hasFragmentVariables = Object.values(fragments).some((fragment) => fragment?.variableSignatures);
    const conditions = hasFragmentVariables ? undefined : conditionsOf(document, operation);
    plans = { schema, document, conditions, byConditions: new Map() };
    plansByOperation.set(operation, plans);
  }
  return plans;
}

/** Undefined when there is @defer or @stream, or a member that only an object without a prototype can have. */
function conditionsOf(
  document: DocumentNode,
  { variableDefinitions = [] }: OperationDefinitionNode,
): string[] | undefined {
  const conditions = new Set<string>();
  let isOdd = false;
  visit(document, {
    Field({ alias }) {
      if (alias?.value === '__proto__') isOdd = true;
    },
    Directive({ name, arguments: values = [] }) {
      if (name.value === 'defer' || name.value === 'stream') isOdd = true;
      if (name.value !== 'skip' && name.value !== 'include') return;
      for (const { value } of values) if (value.kind === Kind.VARIABLE) conditions.add(value.name.value);
    },
  });
  if (isOdd) return undefined;
  return variableDefinitions
    .map(({ variable }) => variable.name.value)
    .filter((name) => conditions.has(name));
}
