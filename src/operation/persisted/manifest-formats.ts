/** The three formats of manifests of persisted operations, read into one list. */
import { constants } from 'node:fs';
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

/** A named pipe, for which the read would wait without end, is empty. */
const flag = constants.O_RDONLY | constants.O_NONBLOCK;

const application = z
  .object({ name: z.string(), version: z.string().optional() })
  .optional()
  .transform((given) => applicationOf(given?.name, given?.version));

/** The format of `npm run generate`. Further members of an operation are ignored. */
const ownFormat = z
  .object({
    version: z.literal(1),
    application,
    operations: z.record(z.string(), z.object({ name: z.string(), document: z.string() })),
  })
  .transform(({ operations, application }) => ({
    application,
    entries: Object.entries(operations).map(([hash, operation]) => ({ hash, ...operation })),
    mayRepeatNames: false,
  }));

const apolloFormat = z
  .object({
    format: z.literal('apollo-persisted-query-manifest'),
    version: z.literal(1),
    application,
    operations: z.array(z.object({ id: z.string(), name: z.string(), body: z.string() })),
  })
  .transform(({ operations, application }) => ({
    application,
    entries: operations.map(({ id, name, body }) => ({ hash: hashIn(id), name, document: body })),
    mayRepeatNames: false,
  }));

/** The format of Relay's `persistConfig.file` and of graphql-codegen's `persistedDocuments`: texts by their hashes. */
const flatFormat = z.record(z.string(), z.string()).transform((texts) => ({
  application: undefined,
  entries: Object.entries(texts).map(([id, document]) => ({ hash: hashIn(id), name: undefined, document })),
  mayRepeatNames: true,
}));

export async function readManifest(file: string): Promise<Manifest> {
  const ofFile = applicationOfFile(file);
  const unusable = { entries: [], application: ofFile, mayRepeatNames: false };
  try {
    // TextDecoder leaves out the byte order mark that Windows writes.
    const json: unknown = JSON.parse(new TextDecoder().decode(await readFile(file, { flag })));
    const { success, data, error } = formatOf(json).safeParse(json, { error: inWords });
    if (success) return { ...data, application: data.application ?? ofFile, problems: [] };
    const problems = error.issues.map(
      ({ path, message }) => `${path.join('.') || 'the manifest'} ${message}`,
    );
    return { ...unusable, problems };
  } catch (error) {
    return { ...unusable, problems: [error instanceof SyntaxError ? 'it is not JSON' : 'it cannot be read'] };
  }
}

function formatOf(json: unknown) {
  if (isObject(json) && 'format' in json) return apolloFormat;
  return isObject(json) && 'version' in json ? ownFormat : flatFormat;
}

/** `folio-ios@2.3.1.json` and `folio-ios-2.3.1.json` are of version 2.3.1. */
function applicationOfFile(file: string): Application {
  const stem = basename(file, '.json');
  const [, name = stem, version] = /^(.+)@([^@]+)$/.exec(stem) ?? /^(.+?)-v?(\d.*)$/.exec(stem) ?? [];
  return applicationOf(name, version) ?? { name: 'manifest', version: undefined };
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
