/** The three formats of manifests of persisted operations, read into one list. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { z } from 'zod';
import { type Application, applicationOf } from '../../caller.ts';
import { isObject } from '../../tools/is-object.ts';
import { hashIn } from './operation-hash.ts';

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
  /** The application whose operations they are, from the member `application` or the name of the file. */
  readonly application: Application;
  /** Whether two operations of the manifest may have the same name. Relay keeps earlier versions in its file. */
  readonly mayRepeatNames: boolean;
  /** Why the manifest has none of the formats; empty when it has one. */
  readonly problems: readonly string[];
}

const application = z.object({ name: z.string(), version: z.string().optional() }).optional();

/** The format of `npm run generate`. Further members of an operation are ignored. */
const ownFormat = z.object({
  version: z.literal(1),
  application,
  operations: z.record(z.string(), z.object({ name: z.string(), document: z.string() })),
});

const apolloFormat = z.object({
  format: z.literal('apollo-persisted-query-manifest'),
  version: z.literal(1),
  application,
  operations: z.array(z.object({ id: z.string(), name: z.string(), body: z.string() })),
});

/** The format of Relay's `persistConfig.file` and of graphql-codegen's `persistedDocuments`: texts by their hashes. */
const flatFormat = z.record(z.string(), z.string());

/** Reads a manifest of any format. `file`: its path. */
export async function readManifest(file: string): Promise<Manifest> {
  const fallback = {
    entries: [],
    application: applicationOfFile(file),
    mayRepeatNames: false,
    problems: [],
  };
  try {
    // TextDecoder leaves out the byte order mark that Windows writes.
    const text = new TextDecoder().decode(await readFile(file));
    return { ...fallback, ...parseManifest(JSON.parse(text)) };
  } catch (error) {
    return {
      ...fallback,
      problems: [error instanceof SyntaxError ? 'it is not JSON' : 'it cannot be read'],
    };
  }
}

/** `folio-ios@2.3.1.json` and `folio-ios-2.3.1.json` are of version 2.3.1. */
function applicationOfFile(file: string): Application {
  const stem = basename(file, '.json');
  const [, name = stem, version] = /^(.+)@([^@]+)$/.exec(stem) ?? /^(.+?)-v?(\d.*)$/.exec(stem) ?? [];
  return applicationOf(name, version) ?? { name: 'manifest', version: undefined };
}

function parseManifest(json: unknown): Partial<Manifest> {
  const members = isObject(json) ? json : {};
  if ('format' in members) {
    return parsed(apolloFormat, json, ({ operations, application }) => ({
      entries: operations.map(({ id, name, body }) => ({ hash: hashIn(id), name, document: body })),
      ...named(application),
    }));
  }
  if ('version' in members) {
    return parsed(ownFormat, json, ({ operations, application }) => ({
      entries: Object.entries(operations).map(([hash, { name, document }]) => ({ hash, name, document })),
      ...named(application),
    }));
  }
  return parsed(flatFormat, json, (texts) => ({
    entries: Object.entries(texts).map(([id, document]) => ({ hash: hashIn(id), name: undefined, document })),
    mayRepeatNames: true,
  }));
}

function named(given: z.infer<typeof application>): Partial<Manifest> {
  const found = applicationOf(given?.name, given?.version);
  return found ? { application: found } : {};
}

function parsed<T>(
  format: z.ZodType<T>,
  json: unknown,
  read: (value: T) => Partial<Manifest>,
): Partial<Manifest> {
  const { success, data, error } = format.safeParse(json, { error: inWords });
  if (success) return read(data);
  return {
    problems: error.issues.map(({ path, message }) => `${path.join('.') || 'the manifest'} ${message}`),
  };
}

const typesInWords: Readonly<Record<string, string>> = {
  array: 'a list',
  object: 'an object',
  record: 'an object',
  string: 'a string',
};

/** What is wrong with a member of the JSON. */
function inWords(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return 'is missing';
  if (issue.code === 'invalid_type') return `must be ${typesInWords[issue.expected] ?? issue.expected}`;
  return `must be ${issue.code === 'invalid_value' ? issue.values.join(' or ') : 'valid'}`;
}
