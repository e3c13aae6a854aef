/**
 * Lists the changes of `schema.graphql` since a git ref: `npm run schema:check -- v0.1.0`.
 * For each breaking change a new line in a version of CHANGELOG.md must name its schema coordinate, e.g.
 * `Group.name`. Exits with 1 when a line is missing, and with 2 when nothing can be compared.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
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

const [ref] = process.argv.slice(2);
process.exitCode = ref
  ? check(ref)
  : cannotCompare('name a git ref to compare with, e.g. npm run schema:check -- v0.1.0');

function check(ref: string): 0 | 1 | 2 {
  const oldText = fileAt(ref, 'schema.graphql');
  if (oldText === undefined) return cannotCompare(`there is no schema.graphql at "${ref}"`);
  const before = buildSchema(oldText);
  const now = buildSchema(readFileSync('schema.graphql', 'utf8'));
  const newText = newLines(ref).join('\n');
  const changes = findSchemaChanges(before, now);
  const specifications = specificationChanges(before, now);
  const breaking = changes.filter(({ type }) => type in BreakingChangeType);
  const dangerous = changes.filter(({ type }) => type in DangerousChangeType);
  const safe = changes.filter((change) => !breaking.includes(change) && !dangerous.includes(change));
  const unlisted = breaking.filter(
    (change) =>
      !coordinatesOf(change, before, now).some((coordinate) => newText.includes(`\`${coordinate}\``)),
  );

  if (changes.length + specifications.length === 0) console.log(`Nothing has changed since ${ref}.`);
  report('Breaking', breaking);
  report('Dangerous', dangerous);
  report('Safe', [...safe, ...specifications]);
  for (const change of unlisted) {
    const coordinates = coordinatesOf(change, before, now).map((coordinate) => `\`${coordinate}\``);
    console.error(`CHANGELOG.md has no new line that names ${coordinates.join(' or ')}.`);
  }
  return unlisted.length > 0 ? 1 : 0;
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

/** The text of a file of the working directory at the git ref; undefined when it did not exist. */
function fileAt(ref: string, file: string): string | undefined {
  try {
    const parameters = ['show', '--end-of-options', `${ref}:./${file}`];
    return execFileSync('git', parameters, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return undefined;
  }
}

/** The lines of CHANGELOG.md that did not exist at the git ref: an older line describes another change. */
function newLines(ref: string): readonly string[] {
  const before = changesIn(fileAt(ref, 'CHANGELOG.md') ?? '');
  return changesIn(readFileSync('CHANGELOG.md', 'utf8')).filter((line) => !before.includes(line));
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
