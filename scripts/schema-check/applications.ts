/** Which operations of released applications a schema breaks, and when these were last seen in a log. */
import { createReadStream, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import {
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getOperationAST,
  isInputObjectType,
  isInputType,
  parse,
  TypeInfo,
  typeFromAST,
  validate,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { applicationLabel, applicationOf } from '../../src/caller.ts';
import { type ManifestEntry, readManifest } from '../../src/operation/persisted/manifest-formats.ts';
import { manifestsUsed } from '../../src/operation/usage-counter.ts';
import { lineIn } from '../why/log-line.ts';

/** A breaking change of the schema, with the coordinates of what has changed. */
export interface Breaking {
  readonly description: string;
  readonly coordinates: readonly string[];
}

export interface SchemaChanges {
  readonly now: GraphQLSchema;
  /** Undefined without a schema to compare with: then every operation that is not valid now is broken. */
  readonly before: GraphQLSchema | undefined;
  readonly breaking: readonly Breaking[];
}

interface BrokenOperation {
  /** Name and version, e.g. `folio-ios@2.3.1`. */
  readonly application: string;
  readonly operation: string;
  readonly hash: string;
  readonly problems: readonly string[];
}

interface ReleasedOperation extends ManifestEntry {
  readonly application: string;
}

interface Released {
  readonly operations: readonly ReleasedOperation[];
  /** Files that are not manifests. */
  readonly problems: readonly string[];
}

/** The operations of all manifests in the folder. */
export async function readReleased(folder: string): Promise<Released> {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort();
  const manifests = await Promise.all(files.map((name) => readManifest(join(folder, name))));
  return {
    operations: manifests.flatMap(({ entries, application }) =>
      entries.map((entry) => ({ ...entry, application: applicationLabel(application) })),
    ),
    problems: manifests.flatMap(({ problems }, at) => problems.map((problem) => `${files[at]}: ${problem}`)),
  };
}

export function brokenOperations(
  operations: readonly ReleasedOperation[],
  changes: SchemaChanges,
): readonly BrokenOperation[] {
  return operations.flatMap(({ application, name, hash, document: text }) => {
    const document = documentIn(text);
    const operation = name ?? (document && getOperationAST(document)?.name?.value) ?? hash.slice(0, 12);
    const problems = document ? problemsOf(document, changes) : ['its document is not GraphQL'];
    return problems.length > 0 ? [{ application, operation, hash, problems }] : [];
  });
}

function documentIn(text: string): DocumentNode | undefined {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** What the schema no longer accepts, or else the changes of types that the client's code relies on. */
function problemsOf(document: DocumentNode, { now, before, breaking }: SchemaChanges): readonly string[] {
  // An operation that was broken before is not broken by these changes.
  if (before && validate(before, document).length > 0) return [];
  const errors = validate(now, document, undefined, { hideSuggestions: true });
  if (errors.length > 0 || !before) return errors.map(({ message }) => message);
  const uses = usesOf(document, before);
  return breaking
    .filter(({ coordinates }) =>
      coordinates.some((coordinate) => uses.fields.has(coordinate) || uses.inputs.has(typeIn(coordinate))),
    )
    .map(({ description }) => description);
}

function typeIn(coordinate: string): string {
  return coordinate.split('.')[0] as string;
}

/** The coordinates of the fields that a document selects, and the names of the types that its variables have. */
function usesOf(document: DocumentNode, schema: GraphQLSchema) {
  const fields = new Set<string>();
  const inputs = new Set<string>();
  const addInput = (type: GraphQLInputType) => {
    const named = getNamedType(type);
    if (inputs.has(named.name)) return;
    inputs.add(named.name);
    if (isInputObjectType(named)) for (const { type } of Object.values(named.getFields())) addInput(type);
  };
  const types = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(types, {
      Field: ({ name }) => void fields.add(`${types.getParentType()?.name}.${name.value}`),
      VariableDefinition({ type: node }) {
        const type = typeFromAST(schema, node);
        if (isInputType(type)) addInput(type);
      },
    }),
  );
  return { fields, inputs };
}

/** Returns when the application last sent the operation; undefined when the log has no such line. */
type LastSeen = (broken: BrokenOperation) => string | undefined;

/**
 * Reads the log lines of gateways, in any order. A line whose client is none of the applications counts for all that have
 * the operation. `file`: `-` is standard input.
 */
export async function readLastSeen(
  file: string,
  operations: readonly ReleasedOperation[],
): Promise<LastSeen> {
  const byHash = Map.groupBy(operations, ({ hash }) => hash);
  const seen = new Map<string, string>();
  const input = file === '-' ? process.stdin : createReadStream(file);
  for await (const text of createInterface({ input })) {
    const line = lineIn(text);
    if (line?.msg !== 'operation') continue;
    const { hash = '', time, clientName, clientVersion } = line;
    const having = (byHash.get(hash) ?? []).map(({ application }) => application);
    for (const application of manifestsUsed(having, applicationOf(clientName, clientVersion))) {
      const key = `${application} ${hash}`;
      if (time > (seen.get(key) ?? '')) seen.set(key, time);
    }
  }
  return ({ application, hash }) => seen.get(`${application} ${hash}`);
}
