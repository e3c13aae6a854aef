/** Manifests that front ends build: their formats, several of them, reloading, reporting, and the check before a release. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { check } from '../../scripts/manifest-check.ts';
import { credentialHeaders } from '../../src/caller.ts';
import { post, readResponse, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { forTest, temporaryFolder } from '../support/lifetimes.ts';
import { metricOf, samplesOf } from '../support/metric.ts';
import { printed } from '../support/printed.ts';
import { outputOf } from '../support/process.ts';

const groups = 'query Limits {\n  gatewayInfo {\n    limits {\n      maxBatchSize\n    }\n  }\n}';
const rules = 'query Rules {\n  gatewayInfo {\n    rules {\n      rule\n    }\n  }\n}';
const unknownField = 'query Gone {\n  gone\n}';
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** The manifests of other tools, with the members that they write. */
const formats = {
  'of Apollo': (text: string) => ({
    format: 'apollo-persisted-query-manifest',
    version: 1,
    operations: [{ id: sha256(text), name: nameOf(text), type: 'query', body: text }],
  }),
  'of Relay': (text: string) => ({ [sha256(text)]: text }),
  'with a byte order mark, as Windows writes it': (text: string) =>
    `\ufeff${JSON.stringify({ [sha256(text)]: text })}`,
  'of graphql-codegen': (text: string) => ({ [`sha256:${sha256(text)}`]: text }),
  'of this repository': (text: string) => ({
    version: 1,
    operations: {
      [sha256(text)]: { name: nameOf(text), cost: 0, credentials: [], writes: false, document: text },
    },
  }),
};
const nameOf = (text: string) => /^query (\w+)/.exec(text)?.[1];

let folder: string;
let gateway: TestGateway;
beforeEach(() => {
  folder = temporaryFolder();
});

function write(name: string, content: object | string): string {
  const file = join(folder, name);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

/** Each file is checked for changes every 10 ms. */
async function start(files: string[], only = 'true'): Promise<void> {
  gateway = forTest(
    await startTestGateway(
      { PERSISTED_OPERATIONS: files.join(', '), PERSISTED_OPERATIONS_ONLY: only },
      { persistedOperations: { reloadMs: 10 } },
    ),
  );
}

/** With a manifest of one operation. */
async function startWith(text: string, only?: string): Promise<void> {
  await start([replace(text)], only);
}

const replace = (text: string) => write('operations.json', formats['of Relay'](text));

/** The code of the error, or `ok`. */
async function outcomeOf(text: string, prefix = ''): Promise<string> {
  const extensions = { persistedQuery: { version: 1, sha256Hash: prefix + sha256(text) } };
  const { errors } = await readResponse(await post(gateway, { extensions }));
  return errors?.[0]?.extensions['code'] ?? 'ok';
}

const logged = (message: string): any[] => gateway.logged().filter(({ msg }) => msg.includes(message));

const rejected = () => metricOf(gateway, 'folio_manifest_rejected');
const sentAsText = () => samplesOf(`${gateway.origin}/metrics`, 'folio_operations_as_text_total');

it.each(Object.entries(formats))(
  'a manifest %s makes its operations known by their hashes, also with the prefix of graphql-codegen, and no others',
  async (_format, manifestOf) => {
    await start([write('operations.json', manifestOf(groups))]);
    for (const prefix of ['', 'sha256:']) expect(await outcomeOf(groups, prefix)).toBe('ok');
    expect(await outcomeOf(rules)).toBe('PERSISTED_QUERY_NOT_FOUND');
  },
);

describe('a flat manifest', () => {
  it.each(['md5', 'sha1'])(
    'with %s hashes stops the start and says how to set the algorithm',
    async (algorithm) => {
      const file = write('relay.json', { [createHash(algorithm).update(groups).digest('hex')]: groups });
      await expect(start([file])).rejects.toThrow('"algorithm": "SHA256"');
    },
  );

  it('may have several versions of an operation, as Relay keeps them', async () => {
    const earlier = groups.replace('maxBatchSize', 'maxXmlBytes');
    await start([write('relay.json', { [sha256(groups)]: groups, [sha256(earlier)]: earlier })]);
    expect([await outcomeOf(groups), await outcomeOf(earlier)]).toEqual(['ok', 'ok']);
  });
});

describe('several manifests', () => {
  it('are served together', async () => {
    await start([
      write('web.json', formats['of Apollo'](groups)),
      write('phone.json', formats['of Relay'](rules)),
    ]);
    expect([await outcomeOf(groups), await outcomeOf(rules)]).toEqual(['ok', 'ok']);
  });

  it('stop the start with the problems of all of them', async () => {
    const files = [write('web.json', formats['of Relay'](unknownField)), write('phone.json', '{')];
    const failed = await start(files).catch((error: Error) => error.message);
    expect(failed).toMatch(new RegExp(`web\\.json: ${sha256(unknownField).slice(0, 12)}: .*"gone"`));
    expect(failed).toMatch(/phone\.json: it is not JSON/);
  });

  it.each([
    ['has another version', () => write('other.json', '{"version": 2}'), 'other.json: version must be 1'],
    ['has no operations', () => write('other.json', '{"version": 1}'), 'other.json: operations is missing'],
    ['has a number as a text', () => write('other.json', '{"ab": 1}'), 'other.json: ab must be a string'],
    ['is null', () => write('other.json', 'null'), 'other.json: the manifest must be an object'],
    [
      'has a document of two operations',
      () => write('other.json', formats['of Relay'](`${groups} ${rules}`)),
      'its document must contain one operation, with a name',
    ],
    [
      'has an operation without a name',
      () => write('other.json', formats['of Relay']('{ gatewayInfo { rules { rule } } }')),
      'its document must contain one operation, with a name',
    ],
    ['does not exist', () => '/nowhere.json', 'it cannot be read'],
  ])('stop the start when one %s', async (_what, file, problem) => {
    await expect(start([file()])).rejects.toThrow(problem);
  });
});

it('a manifest with an operation that reads the schema stops the start only if INTROSPECTION is false', async () => {
  const reading = 'query Schema { __schema { queryType { name } } }';
  const manifest = { PERSISTED_OPERATIONS: write('web.json', formats['of Relay'](reading)) };
  for (const INTROSPECTION of ['true', 'false']) {
    const started = startTestGateway({ ...manifest, INTROSPECTION }).then((gateway) => void forTest(gateway));
    if (INTROSPECTION === 'true') await started;
    else
      await expect(started).rejects.toThrow(
        /web\.json: \w{12}: .*introspection has been disabled.*"__schema"/,
      );
  }
});

describe('a changed manifest', () => {
  it('is served without a restart, and operations that it no longer has are not', async () => {
    await startWith(groups);
    expect(await outcomeOf(rules)).toBe('PERSISTED_QUERY_NOT_FOUND');
    replace(rules);
    await expect.poll(() => outcomeOf(rules)).toBe('ok');
    expect(await outcomeOf(groups)).toBe('PERSISTED_QUERY_NOT_FOUND');
    expect(logged('reloaded').at(-1)).toMatchObject({ operations: 1 });
  });

  it('is noticed behind a symbolic link that moves, as Kubernetes mounts files', async () => {
    write('first', formats['of Relay'](groups));
    write('second', formats['of Relay'](rules));
    const link = (target: string, name: string) => symlinkSync(join(folder, target), join(folder, name));
    link('first', 'operations.json');
    await start([join(folder, 'operations.json')]);
    link('second', 'next');
    renameSync(join(folder, 'next'), join(folder, 'operations.json'));
    await expect.poll(() => outcomeOf(rules)).toBe('ok');
  });

  it.each<[string, () => void, string]>([
    ['is half-written', () => void write('operations.json', '{"version": 1, "opera'), 'it is not JSON'],
    ['has an unknown field', () => void replace(unknownField), '"gone"'],
    ['was removed', () => rmSync(join(folder, 'operations.json')), 'it cannot be read'],
  ])('that %s is logged and counted, and the previous operations stay', async (_what, change, problem) => {
    await startWith(groups);
    expect(await rejected()).toBe(0);
    change();
    // The file may be read before all of it is written, and then once more.
    const lastProblems = () => logged('previous operations stay').at(-1)?.['problems'].join();
    await expect.poll(lastProblems).toContain(problem);
    expect(await rejected()).toBe(1);
    expect(await outcomeOf(groups)).toBe('ok');

    replace(rules);
    await expect.poll(() => outcomeOf(rules)).toBe('ok');
    expect(await rejected()).toBe(0);
  });
});

describe('PERSISTED_OPERATIONS_ONLY=report', () => {
  it('executes operations sent as text, counts each and logs each hash once', async () => {
    await startWith(groups, 'report');
    for (const query of [rules, rules, groups]) expect((await gateway.ask(query)).errors).toBeUndefined();
    expect(await outcomeOf(groups)).toBe('ok');
    expect(await sentAsText()).toEqual({ '{kind="unknown"}': 2, '{kind="persisted"}': 1 });
    expect(logged('sent as text')).toMatchObject([
      { hash: sha256(rules), name: 'Rules', kind: 'unknown' },
      { hash: sha256(groups), name: 'Limits', kind: 'persisted' },
    ]);
  });

  it('does not count a text that is not a valid operation', async () => {
    await startWith(groups, 'report');
    await gateway.ask(unknownField);
    expect(await sentAsText()).toEqual({});
    expect(logged('sent as text')).toEqual([]);
  });
});

describe('npm run manifest:check', () => {
  it('reports cost and credentials of each operation, also behind fragments', async () => {
    const text =
      'query Page {\n  ...Root\n}\n\nfragment Root on Query {\n  mexicoValidation(by: {documentId: "1001"}) {\n    result\n  }\n}';
    const { status, output } = await printed(() => check([replace(text)]));
    expect(output).toMatch(
      new RegExp(`Page +${sha256(text).slice(0, 12)} +read +1 +authorization, ${credentialHeaders.apiKey}`),
    );
    expect(status).toBe(0);
  });

  it('reports the operations that the schema does not know, and exits with 1', async () => {
    const files = [
      write('web.json', formats['of Apollo'](unknownField)),
      write('phone.json', formats['of Relay'](groups)),
    ];
    const { code, text } = await outputOf(spawn(process.execPath, ['scripts/manifest-check.ts', ...files]));
    expect(code).toBe(1);
    expect(text).toMatch(/Gone .*Cannot query field "gone"/);
    expect(text).toMatch(/Limits .* read +0 +none/);
  });
});
