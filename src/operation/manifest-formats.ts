/** The three formats of manifests of persisted operations, read into one list. */
import { z } from 'zod';

/** One operation as a manifest lists it, unchecked. */
export interface ManifestEntry {
  /** Identifies the operation: the SHA-256 of its text in hexadecimal digits, if the manifest is correct. */
  readonly hash: string;
  /** The name that the manifest states; undefined when the format has none. */
  readonly name: string | undefined;
  readonly document: string;
}

export interface Manifest {
  readonly entries: readonly ManifestEntry[];
  /** Whether two operations of the manifest may have the same name. Relay keeps earlier versions in its file. */
  readonly mayRepeatNames: boolean;
  /** Why the manifest has none of the formats; empty when it has one. */
  readonly problems: readonly string[];
}

/** A manifest that cannot be read. */
export function unreadableManifest(problems: readonly string[]): Manifest {
  return { entries: [], mayRepeatNames: false, problems };
}

/** The format of `npm run generate`. Further members of an operation are ignored. */
const ownFormat = z.object({
  version: z.literal(1),
  operations: z.record(z.string(), z.object({ name: z.string(), document: z.string() })),
});

/** The format of `@apollo/generate-persisted-query-manifest`. */
const apolloFormat = z.object({
  format: z.literal('apollo-persisted-query-manifest'),
  version: z.literal(1),
  operations: z.array(z.object({ id: z.string(), name: z.string(), body: z.string() })),
});

/** The format of Relay's `persistConfig.file` and of graphql-codegen's `persistedDocuments`: texts by their hashes. */
const flatFormat = z.record(z.string(), z.string());

/** Reads a manifest of any format. */
export function parseManifest(json: unknown): Manifest {
  if (hasMember(json, 'format')) {
    return parsed(apolloFormat, json, ({ operations }) => ({
      entries: operations.map(({ id, name, body }) => ({ hash: hashIn(id), name, document: body })),
      mayRepeatNames: false,
    }));
  }
  if (hasMember(json, 'version')) {
    return parsed(ownFormat, json, ({ operations }) => ({
      entries: Object.entries(operations).map(([hash, { name, document }]) => ({ hash, name, document })),
      mayRepeatNames: false,
    }));
  }
  return parsed(flatFormat, json, (texts) => ({
    entries: Object.entries(texts).map(([id, document]) => ({ hash: hashIn(id), name: undefined, document })),
    mayRepeatNames: true,
  }));
}

function hasMember(json: unknown, name: string): boolean {
  return typeof json === 'object' && json !== null && Object.hasOwn(json, name);
}

function parsed<T>(
  format: z.ZodType<T>,
  json: unknown,
  read: (value: T) => Pick<Manifest, 'entries' | 'mayRepeatNames'>,
): Manifest {
  const { success, data, error } = format.safeParse(json);
  if (success) return { ...read(data), problems: [] };
  return unreadableManifest(
    error.issues.map(({ path, message }) => `${path.join('.') || 'manifest'}: ${message}`),
  );
}

/** graphql-codegen writes the algorithm before the hash, as GraphQL over HTTP does in `documentId`. */
function hashIn(id: string): string {
  return id.replace(/^sha256:/, '');
}
