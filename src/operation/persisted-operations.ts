/** Reads the manifest of persisted operations, which clients identify by the hash of their text. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type DocumentNode, type GraphQLSchema, Kind, parse, specifiedRules, validate } from 'graphql';
import { z } from 'zod';
import { checkLimits } from './limits.ts';

export interface PersistedOperations {
  /** The text of the operation; undefined when the manifest has no operation with this hash. */
  textOf(hash: string): string | undefined;
  /** The operation's name in the manifest; undefined when the manifest does not have it. */
  nameOf(hash: string): string | undefined;
  /** Whether all other operations are refused. */
  readonly only: boolean;
}

export const noPersistedOperations: PersistedOperations = {
  textOf: () => undefined,
  nameOf: () => undefined,
  only: false,
};

/** The manifest is invalid. Lists all its problems. */
export class UnusableManifestError extends Error {
  override readonly name = 'UnusableManifestError';
  readonly problems: readonly string[];

  constructor(file: string, problems: readonly string[]) {
    super(
      [`PERSISTED_OPERATIONS cannot be used (${file}):`, ...problems.map((line) => `  ${line}`)].join('\n'),
    );
    this.problems = problems;
  }
}

const manifestForm = z.object({
  version: z.literal(1),
  /** By the SHA-256 of the document, in hexadecimal digits. */
  operations: z.record(z.string(), z.object({ name: z.string(), document: z.string() })),
});

/** SHA-256 of an operation's text, in hexadecimal digits. */
export function hashOf(document: string): string {
  return createHash('sha256').update(document).digest('hex');
}

/** Reads and validates the manifest at start. Throws an `UnusableManifestError` with all problems. */
export function readPersistedOperations(
  file: string,
  only: boolean,
  schema: GraphQLSchema,
): PersistedOperations {
  const manifest = manifestForm.safeParse(readJson(file));
  if (!manifest.success) {
    throw new UnusableManifestError(
      file,
      manifest.error.issues.map(({ path, message }) => `${path.join('.') || 'manifest'}: ${message}`),
    );
  }
  const operations = new Map(Object.entries(manifest.data.operations));
  const names = new Map<string, string>();
  const problems = [...operations].flatMap(([hash, { name, document }]) => {
    const twin = names.get(name);
    names.set(name, hash);
    const found = problemsOf(hash, name, document, schema);
    if (twin) found.push(`its name is also the name of ${twin.slice(0, 12)}`);
    return found.map((problem) => `${name} (${hash.slice(0, 12)}): ${problem}`);
  });
  if (problems.length > 0) throw new UnusableManifestError(file, problems);
  return {
    textOf: (hash) => operations.get(hash)?.document,
    nameOf: (hash) => operations.get(hash)?.name,
    only,
  };
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const what = error instanceof SyntaxError ? 'it is not JSON' : 'it cannot be read';
    throw new UnusableManifestError(file, [what]);
  }
}

function problemsOf(hash: string, name: string, text: string, schema: GraphQLSchema): string[] {
  if (hash !== hashOf(text)) return ['its hash does not match its document'];
  let document: DocumentNode;
  try {
    document = parse(text);
    checkLimits(document);
  } catch (error) {
    return [(error as Error).message];
  }
  const operations = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  const [operation] = operations;
  if (operations.length !== 1 || !operation || !('name' in operation) || operation.name?.value !== name) {
    return [`its document must contain one operation, named ${name}`];
  }
  return validate(schema, document, specifiedRules).map(({ message }) => message);
}
