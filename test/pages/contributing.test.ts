/** The promises of CONTRIBUTING.md to contributors. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  cpSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { parse } from 'yaml';
import { entryFormat } from '../../src/state/ledger/redis-entries.ts';
import { askAt } from '../support/gateway.ts';
import { forFile, forTest, temporaryFolder } from '../support/lifetimes.ts';
import { freePort } from '../support/redis.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

function copy(...files: string[]): void {
  for (const file of files) cpSync(file, join(folder, file), { recursive: true });
}

describe('npm run dev', () => {
  it('ends with the status of a sandbox that cannot start', async () => {
    copy('scripts/dev.ts', 'package.json');
    // Without it the gateway would be compiled first.
    for (const path of ['src/sandbox', 'node_modules/.cache/compiled'])
      mkdirSync(join(folder, path), { recursive: true });
    writeFileSync(join(folder, 'src/main.ts'), 'setInterval(() => {}, 1_000);');
    writeFileSync(join(folder, 'src/sandbox/main.ts'), 'process.exit(3);');
    const child = spawn(process.execPath, ['scripts/dev.ts'], { cwd: folder });
    expect(await once(child, 'exit')).toEqual([3, null]);
  });

  it('restarts the gateway when a file is saved, and the sandbox keeps its state', async () => {
    copy('scripts/dev.ts', 'package.json');
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    // The sources load the bundle, which starts faster. The gateway has one more, which is saved.
    const sources = inject('bundle') ?? resolve('src');
    const [ending, sandbox] = inject('bundle') ? ['js', 'sandbox'] : ['ts', 'sandbox/main'];
    mkdirSync(join(folder, 'src/sandbox'), { recursive: true });
    const source = (name: string, ...imported: string[]) =>
      writeFileSync(join(folder, 'src', name), imported.map((file) => `import '${file}';\n`).join(''));
    source('saved.ts');
    source('main.ts', './saved.ts', join(sources, `main.${ending}`));
    source('sandbox/main.ts', join(sources, `${sandbox}.${ending}`));
    const env = { PATH: process.env['PATH'], PORT: '0' };
    const child = spawn(process.execPath, ['scripts/dev.ts', '--sandbox-port', String(await freePort())], {
      cwd: folder,
      env,
    });
    forTest({
      async close() {
        child.kill();
        await once(child, 'exit');
      },
    });
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const nextUrl = async () => {
      for (let line = await lines.next(); !line.done; line = await lines.next()) {
        const url = /^listening on (http\S+)$/.exec(line.value)?.[1];
        if (url) return url;
      }
      throw new Error('The gateway ended before it listened.');
    };

    const createGroup = async () => {
      const ask = askAt({ url: await nextUrl() });
      return (await ask('mutation { createGroup(input: {}) { ... on Group { id } } }')).data.createGroup.id;
    };
    expect(await createGroup()).toBe('301');
    const save = () => appendFileSync(join(folder, 'src/saved.ts'), '// saved\n');
    save();
    // On a busy machine the watcher of files may begin after the gateway listens.
    const again = setInterval(save, 15_000);
    expect(await createGroup().finally(() => clearInterval(again))).toBe('302');
  });
});

describe('npm run release', () => {
  const files = [
    'package.json',
    'package-lock.json',
    'CHANGELOG.md',
    'ops/kubernetes/kustomization.yaml',
    'ops/helm/Chart.yaml',
    'ops/helm/values.yaml',
  ];
  const recorded = 'test/fixtures/ledger-entries/99.0.0.json';
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();
  const release = (version: string) =>
    spawnSync(process.execPath, [resolve('scripts/release.ts'), version], { cwd: folder, encoding: 'utf8' });
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text);

  /** Its version can be released. Each test has a copy. */
  const repository = temporaryFolder(forFile);
  beforeAll(() => {
    folder = repository;
    copy(...files, 'docs/upgrading.md');
    git('init', '--quiet');
    git('config', 'user.email', 'somebody@example.com');
    git('config', 'user.name', 'Somebody');
    write('CHANGELOG.md', '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A field.\n');
    recordEntries(entryFormat);
    git('add', '.');
    git('commit', '--quiet', '--message', 'Begin');
  });
  beforeEach(() => cpSync(repository, folder, { recursive: true }));

  /** As `npm run record-entries -- 99.0.0` writes them. */
  function recordEntries(format: number): void {
    const fields = { format: Buffer.from(String(format)).toString('base64') };
    mkdirSync(join(folder, recorded, '..'), { recursive: true });
    writeFileSync(join(folder, recorded), JSON.stringify({ writes: [{ fields }] }));
  }

  /** Commits what it changes. */
  const committed = (change: () => void) => () => {
    change();
    git('commit', '--quiet', '--all', '--message', 'Change');
  };
  it.each<[string, RegExp, version: string, prepare: () => void]>([
    ['a word that is not a version', /^State the new version/, 'latest', () => {}],
    ['a version that is not above the current one', /is not above/, '0.0.1', () => {}],
    ['uncommitted changes', /uncommitted/, '99.0.0', () => write('package.json', '{ "version": "0.2.0" }')],
    [
      'a changelog with nothing under Unreleased',
      /Unreleased/,
      '99.0.0',
      committed(() => write('CHANGELOG.md', '# Changelog\n\n## [Unreleased]\n')),
    ],
    [
      'entries that are not recorded',
      /99\.0\.0\.json is missing/,
      '99.0.0',
      committed(() => rmSync(join(folder, recorded))),
    ],
    ['entries of another format', /has another format than 2/, '99.0.0', committed(() => recordEntries(1))],
    [
      'a format that the page about upgrading does not explain',
      /does not say which releases write and read/,
      '99.0.0',
      committed(() => write('docs/upgrading.md', '# Upgrading\n')),
    ],
  ])('refuses %s, and changes nothing', (_title, reason, version, prepare) => {
    prepare();
    const before = [git('rev-parse', 'HEAD'), ...files.map(read)];
    const { status, stderr } = release(version);
    expect([status, stderr]).toEqual([1, expect.stringMatching(reason)]);
    expect([git('rev-parse', 'HEAD'), ...files.map(read)]).toEqual(before);
    expect(git('tag')).toBe('');
  });

  it('sets the version everywhere, dates the changelog, commits, tags, and prints the labels of the image', () => {
    const { status, stdout, stderr } = release('99.0.0');
    expect([status, stderr]).toEqual([0, '']);
    expect(JSON.parse(read('package.json')).version).toBe('99.0.0');
    const { version, packages } = JSON.parse(read('package-lock.json'));
    expect([version, packages[''].version]).toEqual(['99.0.0', '99.0.0']);
    expect(read('ops/kubernetes/kustomization.yaml')).toContain('newTag: 99.0.0');
    const { version: chart, appVersion } = parse(read('ops/helm/Chart.yaml'));
    expect([chart, appVersion]).toEqual(['99.0.0', '99.0.0']);
    expect(parse(read('ops/helm/values.yaml')).image.tag).toBe('99.0.0');
    expect(read('CHANGELOG.md')).toMatch(
      /## \[Unreleased\]\n\n## \[99\.0\.0\] - \d{4}-\d\d-\d\d\n\n### Added\n\n- A field\./,
    );
    expect(git('log', '-1', '--format=%s')).toBe('Release 99.0.0');
    expect(git('tag', '--points-at', 'HEAD')).toBe('v99.0.0');
    expect(git('status', '--porcelain')).toBe('');
    expect(stdout).toContain('--platform linux/amd64,linux/arm64 --provenance mode=max --sbom true ');
    expect(stdout).toContain('npm run test-kit && npm pack ./dist/test-kit');
    expect(stdout).toContain('--label org.opencontainers.image.version=99.0.0');
    expect(stdout).toContain(`--label org.opencontainers.image.revision=${git('rev-parse', 'HEAD')}`);
  });
});

describe('the scripts of package.json', () => {
  it('print one clear line under a Node that cannot read TypeScript', () => {
    const older = ['--no-strip-types', '--require', './src/before-start.cjs', 'src/main.ts'];
    const { status, stdout, stderr } = spawnSync(process.execPath, older, { encoding: 'utf8' });
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^Folio runs on Node 26, and v[\d.]+ cannot read its source\. [^\n]+\n$/);
  });

  it('have no syntax that sh and cmd.exe do not share', () => {
    const manifests = globSync('{.,bench,examples/*,packages/*}/package.json');
    expect(manifests.length).toBeGreaterThan(3);
    for (const manifest of manifests) {
      const { scripts } = JSON.parse(readFileSync(manifest, 'utf8'));
      for (const [name, script] of Object.entries(scripts ?? {})) {
        expect(script, `${manifest}: ${name}`).not.toMatch(
          /[$'`;|<>()*~\\%^]|(^|&& )(\w+=|exec |cd )|[^&]&[^&]/,
        );
      }
    }
  });

  it('stop the gateway when npm gets SIGTERM', async () => {
    const npm = spawn('npm', ['start', '--silent'], {
      env: { ...process.env, PORT: '0', SANDBOX_PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines = createInterface(npm.stdout);
    const seen: string[] = [];
    for await (const line of lines) {
      seen.push(line);
      // The shell in between ends with npm, and does not pass the signal on.
      if (line.startsWith('listening on ')) npm.kill('SIGTERM');
    }
    // The output ends when the gateway, which has inherited it, has ended.
    expect(seen.join('\n')).toContain('stopped');
  });
});
