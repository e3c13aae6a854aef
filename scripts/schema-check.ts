/**
 * Lists the changes of `schema.graphql` since a git ref: `npm run schema:check -- HEAD`.
 * For each breaking change a new line in a version of CHANGELOG.md must name its schema coordinate, e.g.
 * `Group.name`. With `--apps DIR` it also lists the operations of released applications that break: DIR has their
 * manifests. Without a ref these are the operations that `schema.graphql` does not accept. `--log FILE` adds when each
 * was last seen, from log lines of gateways; `-` reads standard input.
 * Exits with 1 when a line is missing or an operation breaks, and with 2 when nothing can be compared.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import {
  BreakingChangeType,
  buildSchema,
  DangerousChangeType,
  findSchemaChanges,
  type GraphQLSchema,
  isScalarType,
  resolveSchemaCoordinate,
  type SchemaChange,
} from 'graphql';
import {
  brokenOperations,
  readLastSeen,
  readReleased,
  type SchemaChanges,
} from './schema-check/applications.ts';

if (import.meta.main) process.exitCode = await check(process.argv.slice(2));

/** Compares in this folder of a repository. Returns the exit code. */
export async function check(parameters: readonly string[], folder = '.'): Promise<0 | 1 | 2> {
  return await compare(parameters, folder).catch((error: Error) => cannotCompare(error.message));
}

async function compare(parameters: readonly string[], folder: string): Promise<0 | 1 | 2> {
  const { values, positionals } = parseArgs({
    args: [...parameters],
    options: { apps: { type: 'string' }, log: { type: 'string' } },
    allowPositionals: true,
  });
  const [ref] = positionals;
  if (!ref && !values.apps)
    return cannotCompare('name a git ref to compare with, e.g. npm run schema:check -- HEAD');
  const before = ref ? schemaAt(ref, folder) : undefined;
  const now = buildSchema(readFileSync(join(folder, 'schema.graphql'), 'utf8'));
  const changes = before ? findSchemaChanges(before, now) : [];
  const breaking = changes
    .filter(({ type }) => type in BreakingChangeType)
    .map((change) => ({ ...change, coordinates: coordinatesOf(change, before as GraphQLSchema, now) }));
  const unlisted =
    ref && before ? reportChanges(newLines(ref, folder), ref, before, now, changes, breaking) : 0;
  const { apps, log } = values;
  const logFile = log === undefined || log === '-' ? log : resolve(folder, log);
  const broken = apps
    ? await reportApplications(resolve(folder, apps), logFile, { before, now, breaking })
    : 0;
  return unlisted + broken > 0 ? 1 : 0;
}

/** Prints all changes. Returns the number of those that CHANGELOG.md has to name. */
function reportChanges(
  lines: readonly string[],
  ref: string,
  before: GraphQLSchema,
  now: GraphQLSchema,
  changes: readonly SchemaChange[],
  breaking: SchemaChanges['breaking'],
): number {
  const newText = lines.join('\n');
  const specifications = specificationChanges(before, now);
  const dangerous = changes.filter(({ type }) => type in DangerousChangeType);
  const safe = changes.filter(({ type }) => !(type in BreakingChangeType || type in DangerousChangeType));
  const unlisted = breaking.filter(
    ({ coordinates }) => !coordinates.some((coordinate) => newText.includes(`\`${coordinate}\``)),
  );

  if (changes.length + specifications.length === 0) console.log(`Nothing has changed since ${ref}.`);
  report('Breaking', breaking);
  report('Dangerous', dangerous);
  report('Safe', [...safe, ...specifications]);
  for (const { coordinates } of unlisted) {
    const names = coordinates.map((coordinate) => `\`${coordinate}\``);
    console.error(`CHANGELOG.md has no new line that names ${names.join(' or ')}.`);
  }
  return unlisted.length;
}

/** Prints the operations that break. Returns their number. Throws when a file of the folder is not a manifest. */
async function reportApplications(
  folder: string,
  log: string | undefined,
  changes: SchemaChanges,
): Promise<number> {
  const { operations, problems } = await readReleased(folder);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  const broken = brokenOperations(operations, changes);
  const lastSeen = log === undefined ? undefined : await readLastSeen(log, operations);
  const applications = new Set(operations.map(({ application }) => application));
  console.log(
    `Operations that break: ${broken.length} of ${operations.length}. Applications: ${applications.size}.`,
  );
  for (const each of broken) {
    const seen = lastSeen ? ` Last seen: ${lastSeen(each) ?? 'not in the log'}.` : '';
    console.log(`  ${each.application} ${each.operation}: ${each.problems.join(' ')}${seen}`);
  }
  return broken.length;
}

function schemaAt(ref: string, folder: string): GraphQLSchema {
  const text = fileAt(ref, 'schema.graphql', folder);
  if (text === undefined) throw new Error(`there is no schema.graphql at "${ref}"`);
  return buildSchema(text);
}

function cannotCompare(problem: string): 2 {
  console.error(`schema:check: ${problem}`);
  return 2;
}

/** Changes of `@specifiedBy`, which graphql-js does not compare. */
function specificationChanges(before: GraphQLSchema, now: GraphQLSchema): { readonly description: string }[] {
  return Object.values(now.getTypeMap()).flatMap((type) => {
    const old = before.getType(type.name);
    if (!isScalarType(type) || !isScalarType(old) || old.specifiedByURL === type.specifiedByURL) return [];
    return [
      { description: `Specification of ${type.name} has changed to ${type.specifiedByURL ?? 'none'}.` },
    ];
  });
}

function report(title: string, changes: readonly { readonly description: string }[]): void {
  if (changes.length > 0)
    console.log([title, ...changes.map(({ description }) => `  ${description}`)].join('\n'));
}

/** The text of a file of the folder at the git ref; undefined when it did not exist. */
function fileAt(ref: string, file: string, folder: string): string | undefined {
  try {
    const parameters = ['show', '--end-of-options', `${ref}:./${file}`];
    return execFileSync('git', parameters, {
      ...{ cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
    });
  } catch {
    return undefined;
  }
}

/** The lines of CHANGELOG.md that did not exist at the git ref: an older line describes another change. */
function newLines(ref: string, folder: string): readonly string[] {
  const before = changesIn(fileAt(ref, 'CHANGELOG.md', folder) ?? '');
  return changesIn(readFileSync(join(folder, 'CHANGELOG.md'), 'utf8')).filter(
    (line) => !before.includes(line),
  );
}

/** The lines below the first heading of a version. */
function changesIn(changelog: string): readonly string[] {
  return /^## \[[\s\S]*/m.exec(changelog)?.[0].split('\n') ?? [];
}

/** The schema coordinates in the description of graphql-js: members if there are any, else types. */
function coordinatesOf(
  { description }: SchemaChange,
  ...schemas: readonly GraphQLSchema[]
): readonly string[] {
  const words = description.replace(/\.$/, '').split(' ');
  const named = words.filter((word) => schemas.some((schema) => isElement(schema, word)));
  const members = named.filter((word) => /[.@]/.test(word));
  return members.length > 0 ? members : named;
}

function isElement(schema: GraphQLSchema, word: string): boolean {
  try {
    return resolveSchemaCoordinate(schema, word) !== undefined;
  } catch {
    // An ordinary word, or a type with brackets.
    return false;
  }
}
