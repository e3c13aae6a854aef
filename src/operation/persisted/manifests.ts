/** Reads the manifests of persisted operations, which clients identify by the hash of their text. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type DocumentNode, type GraphQLSchema, Kind, type OperationDefinitionNode } from 'graphql';
import { applicationLabel } from '../../caller.ts';
import { OperationRefusedError } from '../operation-request.ts';
import {
  checkLength,
  createDocumentParser,
  type PersistedOperation,
  type ServedOperation,
} from '../valid-document.ts';
import { type ManifestEntry, readManifest } from './manifest-formats.ts';
import { hashForm, hashOf } from './operation-hash.ts';

/** The manifests are invalid. Lists all their problems, each with its file. */
export class UnusableManifestError extends Error {
  override readonly name = 'UnusableManifestError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(['PERSISTED_OPERATIONS cannot be used:', ...problems.map((line) => `  ${line}`)].join('\n'));
    this.problems = problems;
  }
}

interface ManifestOptions {
  /** Whether operations may read the schema. Default true. */
  readonly introspection?: boolean;
  /** Operations known to be valid, by hash, which are not validated again. */
  readonly valid?: ReadonlyMap<string, PersistedOperation>;
}

/**
 * Reads and validates all manifests. Returns their operations by hash; throws an `UnusableManifestError` with all
 * problems of all files.
 */
export async function readManifests(
  files: readonly string[],
  schema: GraphQLSchema,
  options: ManifestOptions,
): Promise<Map<string, ServedOperation>> {
  const operations = new Map<string, ServedOperation>();
  const problems: string[] = [];
  for (const file of files) {
    const checked = await checkManifest(file, schema, options);
    problems.push(...checked.problems.map((problem) => `${file}: ${problem}`));
    for (const [hash, { name, document }] of checked.operations) {
      const { manifests = [] } = operations.get(hash) ?? {};
      operations.set(hash, { name, document, manifests: [...manifests, checked.label] });
    }
  }
  if (problems.length > 0) throw new UnusableManifestError(problems);
  return operations;
}

/** The valid operations of one manifest, by hash, the problems of the others, and the label of its application. */
export async function checkManifest(
  file: string,
  schema: GraphQLSchema,
  { introspection = true, valid = new Map() }: ManifestOptions = {},
): Promise<{ operations: Map<string, PersistedOperation>; problems: readonly string[]; label: string }> {
  const manifest = await readManifest(file);
  const parse = createDocumentParser(schema, introspection, { hideSuggestions: false });
  const operations = new Map<string, PersistedOperation>();
  const problems = [...manifest.problems];
  const names = new Map<string, string>();
  for (const entry of manifest.entries) {
    const known = knownOperation(entry, valid);
    // Validation takes up to a millisecond: other requests are served between two operations.
    if (!known) await nextTurn();
    const found = known ?? checkEntry(entry, parse);
    if ('problems' in found) {
      problems.push(...found.problems.map((problem) => `${labelOf(entry)}: ${problem}`));
      continue;
    }
    const twin = names.get(found.name);
    if (twin !== undefined && !manifest.mayRepeatNames) {
      problems.push(`${labelOf(entry)}: its name is also the name of ${twin.slice(0, 12)}`);
    }
    names.set(found.name, entry.hash);
    operations.set(entry.hash, found);
  }
  return { operations, problems, label: applicationLabel(manifest.application) };
}

function knownOperation(
  { hash, name, document }: ManifestEntry,
  valid: ReadonlyMap<string, PersistedOperation>,
): PersistedOperation | undefined {
  const known = valid.get(hash);
  return known?.document === document && (name ?? known.name) === known.name ? known : undefined;
}

function labelOf({ name, hash }: ManifestEntry): string {
  return name === undefined ? hash.slice(0, 12) : `${name} (${hash.slice(0, 12)})`;
}

function checkEntry(
  { hash, name, document: text }: ManifestEntry,
  parse: ReturnType<typeof createDocumentParser>,
): PersistedOperation | { problems: readonly string[] } {
  if (!hashForm.test(hash)) return { problems: [otherAlgorithm] };
  if (hash !== hashOf(text)) return { problems: ['its hash does not match its document'] };
  let document: DocumentNode;
  try {
    // As when a request has its hash.
    checkLength(text);
    ({ document } = parse(text, hash));
  } catch (error) {
    if (!(error instanceof OperationRefusedError)) throw error;
    return { problems: error.errors.map(({ message }) => message) };
  }
  const operations = document.definitions.filter(
    (node): node is OperationDefinitionNode => node.kind === Kind.OPERATION_DEFINITION,
  );
  const found = operations[0]?.name?.value;
  if (operations.length !== 1 || found === undefined || (name ?? found) !== found) {
    const named = name === undefined ? 'with a name' : `named ${name}`;
    return { problems: [`its document must contain one operation, ${named}`] };
  }
  return { name: found, document: text };
}

const otherAlgorithm =
  'its key must be the SHA-256 of its document in 64 lowercase hexadecimal digits: set "algorithm": "SHA256" in the persistConfig of Relay, ' +
  'hashAlgorithm: "sha256" in the persistedDocuments of graphql-codegen';
