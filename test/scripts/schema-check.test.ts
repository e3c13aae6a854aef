import { describe, expect, it } from 'vitest';
import { checkSchema } from '../support/schema-check.ts';

const schema = `
type Query {
  group(id: ID): Group
  outcome: Outcome
}

type Group {
  id: ID!
  name: String
  kind: Kind
}

enum Kind {
  OPEN
  CLOSED
}

union Outcome = Group | Refusal

scalar Even

type Refusal {
  message: String
}
`;
const changelog = (...lines: string[]) =>
  ['# Changelog', '', '## [Unreleased]', '', ...lines, '', '## [0.1.0]', '', 'First version.', ''].join('\n');

describe('schema:check', () => {
  it('reports that nothing has changed', async () => {
    expect(await check(schema)).toEqual({
      status: 0,
      output: 'Nothing has changed since HEAD.\n',
      errors: '',
    });
  });

  it('accepts safe and dangerous changes, and lists them separately', async () => {
    const added = schema
      .replace('name: String', 'name: String\n  nickname: String')
      .replace('OPEN', 'OPEN\n  HIDDEN')
      .replace('scalar Even', 'scalar Even @specifiedBy(url: "https://even.example")');
    expect(await check(added)).toEqual({
      status: 0,
      output:
        'Dangerous\n  Enum value Kind.HIDDEN was added.\n' +
        'Safe\n  Field Group.nickname was added.\n  Specification of Even has changed to https://even.example.\n',
      errors: '',
    });
  });

  it('exits with 1 for a breaking change of any kind unless CHANGELOG.md names its coordinate', async () => {
    const changes = [
      ['Group.name', '  name: String\n', ''],
      ['Group.id', 'id: ID!', 'id: Int!'],
      ['Query.group(id:)', 'group(id: ID)', 'group(id: ID!)'],
      ['Kind.CLOSED', '  CLOSED\n', ''],
      ['Outcome', 'Group | Refusal', 'Group'],
    ] as const;
    const changed = changes.reduce((text, [, old, replacement]) => text.replace(old, replacement), schema);
    const lines = changes.map(([coordinate]) => `- \`${coordinate}\` has changed.`);
    const silent = await check(changed);
    expect(silent).toMatchObject({ status: 1, output: expect.stringMatching(/^Breaking\n {2}/) });
    for (const [coordinate] of changes) expect(silent.errors).toContain(`\`${coordinate}\``);
    expect(await check(changed, changelog(...lines))).toMatchObject({ status: 0, errors: '' });
    expect(await check(changed, changelog(...lines.toSpliced(3, 1)))).toMatchObject({
      status: 1,
      errors: 'CHANGELOG.md has no new line that names `Kind.CLOSED`.\n',
    });
  });

  it('does not accept an older line, a line above the versions, or a longer coordinate with the same beginning', async () => {
    const changed = schema.replace('  name: String\n', '');
    const old = changelog('- `Group.name` can be null.');
    // Each of the three would be enough if it counted.
    const lines = changelog('- `Group.name` can be null.', '- `Group.names` are gone.');
    const text = lines.replace('\n\n', '\n\nThere was a `Group.name`.\n\n');
    expect((await check(changed, text, old)).status).toBe(1);
  });

  it('exits with 2 without a ref to compare with', async () => {
    const at = (ref: string) => check(schema, changelog(), changelog(), ref);
    const errors = 'schema:check: there is no schema.graphql at "v9"\n';
    expect(await at('v9')).toEqual({ status: 2, output: '', errors });
    expect((await at('--version')).status).toBe(2);
    expect(await at('')).toMatchObject({ status: 2, errors: expect.stringContaining('name a git ref') });
  });
});

/** Compares in a repository whose HEAD has `schema` and whose working directory has `present`. */
function check(present: string, text = changelog(), oldText = changelog(), ref = 'HEAD') {
  const before = { 'schema.graphql': schema, 'CHANGELOG.md': oldText };
  return checkSchema(before, { 'schema.graphql': present, 'CHANGELOG.md': text }, [ref]);
}
