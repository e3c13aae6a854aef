/** Reads the manifests of persisted operations, which clients identify by the hash of their text. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type GraphQLSchema, getOperationAST } from 'graphql';
import { applicationLabel } from '../../caller.ts';
import { OperationRefusedError, refused } from '../operation-request.ts';
import { checkLength, createDocumentParser, type PersistedOperation } from '../valid-document.ts';
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

/**
 * Reads and validates all manifests. Returns their operations by hash; throws an `UnusableManifestError` with all
 * problems of all files.
 */
export async function readManifests(
  files: readonly string[],
  schema: GraphQLSchema,
  introspection: boolean,
): Promise<Map<string, PersistedOperation>> {
  const operations = new Map<string, PersistedOperation>();
  const problems: string[] = [];
  for (const file of files) {
    const checked = await checkManifest(file, schema, introspection);
    problems.push(...checked.problems.map((problem) => `${file}: ${problem}`));
    for (const [hash, operation] of checked.operations) {
      const { manifests = [] } = operations.get(hash) ?? {};
      operations.set(hash, { ...operation, manifests: [...manifests, ...operation.manifests] });
    }
  }
  if (problems.length > 0) throw new UnusableManifestError(problems);
  return operations;
}

/** The valid operations of one manifest, by hash, and the problems of the others. `introspection`: whether they may read the schema. */
export async function checkManifest(
  file: string,
  schema: GraphQLSchema,
  introspection = true,
): Promise<{ operations: Map<string, PersistedOperation>; problems: readonly string[] }> {
  const manifest = await readManifest(file);
  const manifests = [applicationLabel(manifest.application)];
  const parse = createDocumentParser(schema, introspection, { hideSuggestions: false });
  const operations = new Map<string, PersistedOperation>();
  const problems = [...manifest.problems];
  const names = new Map<string, string>();
  for (const entry of manifest.entries) {
    // Validation takes up to a millisecond: other requests are served between two operations.
    await nextTurn();
    try {
      const name = checkEntry(entry, parse);
      operations.set(entry.hash, { name, document: entry.document, manifests });
      const twin = names.get(name);
      names.set(name, entry.hash);
      if (twin !== undefined && !manifest.mayRepeatNames)
        throw unusable(`its name is also the name of ${twin.slice(0, 12)}`);
    } catch (error) {
      if (!(error instanceof OperationRefusedError)) throw error;
      problems.push(...error.errors.map(({ message }) => `${labelOf(entry)}: ${message}`));
    }
  }
  return { operations, problems };
}

function labelOf({ name, hash }: ManifestEntry): string {
  return name === undefined ? hash.slice(0, 12) : `${name} (${hash.slice(0, 12)})`;
}

/** Returns the name of the operation. Throws an `OperationRefusedError` with the problems of the entry. */
function checkEntry(
  { hash, name, document: text }: ManifestEntry,
  parse: ReturnType<typeof createDocumentParser>,
): string {
  if (!hashForm.test(hash)) throw unusable(otherAlgorithm);
  if (hash !== hashOf(text)) throw unusable('its hash does not match its document');
  // As when a request has its hash.
  checkLength(text);
  // Undefined also for several operations.
  const found = getOperationAST(parse(text, hash).document)?.name?.value;
  if (found !== undefined && (name ?? found) === found) return found;
  const named = name === undefined ? 'with a name' : `named ${name}`;
  throw unusable(`its document must contain one operation, ${named}`);
}

function unusable(problem: string): OperationRefusedError {
  return refused('GRAPHQL_VALIDATION_FAILED', problem);
}

const otherAlgorithm =
  'its key must be the SHA-256 of its document in 64 lowercase hexadecimal digits: set "algorithm": "SHA256" in the persistConfig of Relay, ' +
  'hashAlgorithm: "sha256" in the persistedDocuments of graphql-codegen';
