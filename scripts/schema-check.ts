/**
 * What callers would notice of `schema.graphql` as it is now, compared with a git ref: `npm run schema:check -- v0.1.0`.
 * A breaking change has to be told of: by a new line in the README's section Changes that names its schema
 * coordinate, e.g. `Group.name`. Exits with 1 when one is not, and with 2 when nothing can be compared.
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
  : cannot('name a git ref to compare with, e.g. npm run schema:check -- v0.1.0');

function check(ref: string): 0 | 1 | 2 {
  const oldText = fileAt(ref, 'schema.graphql');
  if (oldText === undefined) return cannot(`there is no schema.graphql at "${ref}"`);
  const before = buildSchema(oldText);
  const now = buildSchema(readFileSync('schema.graphql', 'utf8'));
  const told = newLines(ref).join('\n');
  const changes = findSchemaChanges(before, now);
  const specifications = specificationChanges(before, now);
  const breaking = changes.filter(({ type }) => type in BreakingChangeType);
  const dangerous = changes.filter(({ type }) => type in DangerousChangeType);
  const safe = changes.filter((change) => !breaking.includes(change) && !dangerous.includes(change));
  const untold = breaking.filter(
    (change) => !coordinatesOf(change, before, now).some((coordinate) => told.includes(`\`${coordinate}\``)),
  );

  if (changes.length + specifications.length === 0) console.log(`Nothing has changed since ${ref}.`);
  report('Breaking', breaking);
  report('Dangerous', dangerous);
  report('Safe', [...safe, ...specifications]);
  for (const change of untold) {
    const coordinates = coordinatesOf(change, before, now).map((coordinate) => `\`${coordinate}\``);
    console.error(`No new line of the README's section Changes names ${coordinates.join(' or ')}.`);
  }
  return untold.length > 0 ? 1 : 0;
}

function cannot(problem: string): 2 {
  console.error(`schema:check: ${problem}`);
  return 2;
}

/** Which graphql-js does not compare. */
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

/** A file of the working directory as it was, if it was there. */
function fileAt(ref: string, file: string): string | undefined {
  try {
    const parameters = ['show', '--end-of-options', `${ref}:./${file}`];
    return execFileSync('git', parameters, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return undefined;
  }
}

/** A line that was there before tells of something else. */
function newLines(ref: string): readonly string[] {
  const before = changesIn(fileAt(ref, 'README.md') ?? '');
  return changesIn(readFileSync('README.md', 'utf8')).filter((line) => !before.includes(line));
}

function changesIn(readme: string): readonly string[] {
  return /^## Changes\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(readme)?.[1]?.split('\n') ?? [];
}

/** What the change is about, as graphql-js names it: a member where it is one, else the types. */
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
