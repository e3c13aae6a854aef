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

type Refusal {
  message: String
}
`;
const changelog = (...lines: string[]) =>
  ['# Changelog', '', '## [Unreleased]', '', ...lines, '', '## [0.1.0]', '', 'First version.', ''].join('\n');

describe('schema:check', () => {
  it('reports that nothing has changed', () => {
    expect(check(schema)).toEqual({ status: 0, output: 'Nothing has changed since HEAD.\n', errors: '' });
  });

  it('accepts safe and dangerous changes, and lists them separately', () => {
    const added = schema
      .replace('name: String', 'name: String\n  nickname: String')
      .replace('OPEN', 'OPEN\n  HIDDEN');
    expect(check(added)).toEqual({
      status: 0,
      output: 'Dangerous\n  Enum value Kind.HIDDEN was added.\nSafe\n  Field Group.nickname was added.\n',
      errors: '',
    });
  });

  it('lists a changed specification of a scalar as safe', () => {
    const withScalar = (url: string) => `${schema}\nscalar Even${url}\n`;
    const { status, output } = check(
      withScalar(' @specifiedBy(url: "https://even.example")'),
      changelog(),
      changelog(),
      'HEAD',
      withScalar(''),
    );
    expect({ status, output }).toEqual({
      status: 0,
      output: 'Safe\n  Specification of Even has changed to https://even.example.\n',
    });
  });

  it.each([
    ['a removed field', 'Group.name', '  name: String\n', ''],
    ['a changed type', 'Group.id', 'id: ID!', 'id: Int!'],
    ['an argument that became required', 'Query.group(id:)', 'group(id: ID)', 'group(id: ID!)'],
    ['a removed enum value', 'Kind.CLOSED', '  CLOSED\n', ''],
    ['a removed member of a union', 'Outcome', 'Group | Refusal', 'Group'],
  ])(
    'exits with 1 for %s unless CHANGELOG.md names its coordinate',
    (_what, coordinate, old, replacement) => {
      const changed = schema.replace(old, replacement);
      expect(changed).not.toBe(schema);

      const silent = check(changed);
      expect(silent).toMatchObject({ status: 1, output: expect.stringMatching(/^Breaking\n {2}/) });
      expect(silent.errors).toContain(`\`${coordinate}\``);

      const named = check(changed, changelog(`- \`${coordinate}\` has changed.`));
      expect(named).toMatchObject({ status: 0, errors: '' });
    },
  );

  it('does not accept an older line, a line above the versions, or a longer coordinate with the same beginning', () => {
    const changed = schema.replace('  name: String\n', '');
    const old = changelog('- `Group.name` can be null.');
    expect(check(changed, old, old).status).toBe(1);
    expect(check(changed, changelog().replace('\n\n', '\n\nThere was a `Group.name`.\n\n')).status).toBe(1);
    expect(check(changed, changelog('- `Group.names` are gone.')).status).toBe(1);
  });

  it('requires a line for each breaking change', () => {
    const changed = schema.replace('  name: String\n', '').replace('  CLOSED\n', '');
    const { status, errors } = check(changed, changelog('- `Group.name` is gone.'));
    expect(status).toBe(1);
    expect(errors).toBe('CHANGELOG.md has no new line that names `Kind.CLOSED`.\n');
  });

  it('exits with 2 without a ref to compare with', () => {
    expect(check(schema, changelog(), changelog(), 'v9')).toEqual({
      status: 2,
      output: '',
      errors: 'schema:check: there is no schema.graphql at "v9"\n',
    });
    expect(check(schema, changelog(), changelog(), '--version').status).toBe(2);
    expect(check(schema, changelog(), changelog(), '')).toMatchObject({
      status: 2,
      errors: expect.stringContaining('name a git ref'),
    });
  });
});

/** Runs the script in a repository whose HEAD has `past` and whose working directory has `present`. */
function check(present: string, text = changelog(), oldText = changelog(), ref = 'HEAD', past = schema) {
  const before = { 'schema.graphql': past, 'CHANGELOG.md': oldText };
  return checkSchema(before, { 'schema.graphql': present, 'CHANGELOG.md': text }, [ref]);
}
