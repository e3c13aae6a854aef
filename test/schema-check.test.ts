import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const script = resolve('scripts/schema-check.ts');

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
const changes = (...lines: string[]) =>
  ['# A gateway', '', '## Changes', '', '- 0.1.0: first version.', ...lines, '', '## Afterwards', ''].join(
    '\n',
  );

describe('schema:check', () => {
  it('says that nothing has changed', () => {
    expect(check(schema)).toEqual({ status: 0, told: 'Nothing has changed since HEAD.\n', complaint: '' });
  });

  it('lets pass what is safe, and what is dangerous, and tells the two apart', () => {
    const added = schema
      .replace('name: String', 'name: String\n  nickname: String')
      .replace('OPEN', 'OPEN\n  HIDDEN');
    expect(check(added)).toEqual({
      status: 0,
      told: 'Dangerous\n  Enum value Kind.HIDDEN was added.\nSafe\n  Field Group.nickname was added.\n',
      complaint: '',
    });
  });

  it('names another specification of a scalar, which is safe', () => {
    const withScalar = (url: string) => `${schema}\nscalar Even${url}\n`;
    const { status, told } = check(
      withScalar(' @specifiedBy(url: "https://even.example")'),
      changes(),
      changes(),
      'HEAD',
      withScalar(''),
    );
    expect({ status, told }).toEqual({
      status: 0,
      told: 'Safe\n  Specification of Even has changed to https://even.example.\n',
    });
  });

  it.each([
    ['a field that is gone', 'Group.name', '  name: String\n', ''],
    ['a type that is another', 'Group.id', 'id: ID!', 'id: Int!'],
    ['an argument that is demanded', 'Query.group(id:)', 'group(id: ID)', 'group(id: ID!)'],
    ['a value that is gone', 'Kind.CLOSED', '  CLOSED\n', ''],
    ['a member of a union that is gone', 'Outcome', 'Group | Refusal', 'Group'],
  ])('stops %s unless the README names its coordinate', (_what, coordinate, old, replacement) => {
    const changed = schema.replace(old, replacement);
    expect(changed).not.toBe(schema);

    const silent = check(changed);
    expect(silent).toMatchObject({ status: 1, told: expect.stringMatching(/^Breaking\n {2}/) });
    expect(silent.complaint).toContain(`\`${coordinate}\``);

    const named = check(changed, changes(`- 0.2.0: \`${coordinate}\` is no longer as it was.`));
    expect(named).toMatchObject({ status: 0, complaint: '' });
  });

  it('does not take for an answer a line of long ago, of another section, or on something like it', () => {
    const changed = schema.replace('  name: String\n', '');
    const old = changes('- 0.1.1: `Group.name` can be null.');
    expect(check(changed, old, old).status).toBe(1);
    expect(check(changed, `${changes()}\nThere was a \`Group.name\`.\n`).status).toBe(1);
    expect(check(changed, changes('- 0.2.0: `Group.names` are gone.')).status).toBe(1);
  });

  it('asks for each breaking change by itself', () => {
    const changed = schema.replace('  name: String\n', '').replace('  CLOSED\n', '');
    const { status, complaint } = check(changed, changes('- 0.2.0: `Group.name` is gone.'));
    expect(status).toBe(1);
    expect(complaint).toBe("No new line of the README's section Changes names `Kind.CLOSED`.\n");
  });

  it('says with status 2 that it has nothing to compare with', () => {
    expect(check(schema, changes(), changes(), 'v9')).toEqual({
      status: 2,
      told: '',
      complaint: 'schema:check: there is no schema.graphql at "v9"\n',
    });
    expect(check(schema, changes(), changes(), '--version').status).toBe(2);
    expect(check(schema, changes(), changes(), '')).toMatchObject({
      status: 2,
      complaint: expect.stringContaining('name a git ref'),
    });
  });
});

/** Runs it in a repository whose HEAD has the schema above, or `past`, and whose working directory has the one given. */
function check(present: string, readme = changes(), oldReadme = changes(), ref = 'HEAD', past = schema) {
  const folder = mkdtempSync(join(tmpdir(), 'schema-check-'));
  const git = (...parameters: string[]) => execFileSync('git', parameters, { cwd: folder });
  const write = (sdl: string, text: string) => {
    writeFileSync(join(folder, 'schema.graphql'), sdl);
    writeFileSync(join(folder, 'README.md'), text);
  };
  write(past, oldReadme);
  git('init', '--quiet');
  git('add', '.');
  git('-c', 'user.name=test', '-c', 'user.email=test@example.com', 'commit', '--quiet', '--message', 'Begin');
  write(present, readme);
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ref], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { status, told: stdout, complaint: stderr };
}
