/**
 * `npm run release -- 0.2.0`: sets the version in every file that has it, closes the changelog's section, commits and
 * tags. It pushes nothing, and prints what to run next: the push, the image for both platforms with its labels, provenance
 * and list of packages, and the tarballs of the gateway, the client and the test kit.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { entryFormat } from '../src/state/ledger/redis-entries.ts';

const manifestFile = 'ops/kubernetes/kustomization.yaml';
const chartFile = 'ops/helm/Chart.yaml';
const valuesFile = 'ops/helm/values.yaml';
const changelogFile = 'CHANGELOG.md';

const version = process.argv[2] ?? '';
const before = (JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }).version;
const date = new Date().toISOString().slice(0, 10);

if (!/^\d+\.\d+\.\d+$/.test(version)) fail('State the new version, for example: npm run release -- 0.2.0');
if (!isGreater(version, before)) fail(`${version} is not above ${before}, the version in package.json.`);
if (git('status', '--porcelain') !== '') fail('There are uncommitted changes: commit them first.');

checkEntryFormat();

const json = `"version": "${version}"`;
replace('package.json', /"version": "[^"]*"/, json);
replace('package-lock.json', /"version": "[^"]*"/, json);
// The lockfile repeats the version in the entry of the package itself.
replace('package-lock.json', /(?<="": \{\s+"name": "[^"]*",\s+)"version": "[^"]*"/, json);
replace(manifestFile, /newTag: \S+/, `newTag: ${version}`);
replace(chartFile, /^version: \S+\nappVersion: \S+$/m, `version: ${version}\nappVersion: ${version}`);
replace(valuesFile, /^ {2}tag: \S+/m, `  tag: ${version}`);
replace(changelogFile, /## \[Unreleased\]\n\n(?=### )/, `## [Unreleased]\n\n## [${version}] - ${date}\n\n`);

git('add', '--', 'package.json', 'package-lock.json', manifestFile, chartFile, valuesFile, changelogFile);
git('commit', '--quiet', '--message', `Release ${version}`);
git('tag', '--annotate', `v${version}`, '--message', `Folio ${version}`);

const labels = { version, revision: git('rev-parse', 'HEAD'), created: new Date().toISOString() };
const options = Object.entries(labels).map(
  ([name, value]) => `--label org.opencontainers.image.${name}=${value}`,
);
console.log(`Committed and tagged v${version}. Next:
  git push --follow-tags
  docker buildx build --platform linux/amd64,linux/arm64 --provenance mode=max --sbom true ${options.join(' ')} --tag folio:${version} .
  npm run --silent sbom > folio-${version}.cdx.json
  npm run build && npm pack ./dist
  npm run client && npm run test-kit && npm pack ./dist/test-kit`);

/** Later releases read what this one stores in Redis: that is recorded, and its format is explained to operators. */
function checkEntryFormat(): void {
  const recorded = `test/fixtures/ledger-entries/${version}.json`;
  if (!existsSync(recorded))
    fail(`${recorded} is missing: run npm run record-entries -- ${version}, and commit it.`);
  const { writes } = JSON.parse(readFileSync(recorded, 'utf8')) as {
    writes: { fields: { format?: string } }[];
  };
  for (const { fields } of writes) {
    if (Number(Buffer.from(fields.format ?? '', 'base64').toString()) !== entryFormat)
      fail(`${recorded} has another format than ${entryFormat}: record it again, and commit it.`);
  }
  const upgrading = readFileSync('docs/upgrading.md', 'utf8');
  if (!upgrading.includes(`\n| ${entryFormat} | `))
    fail(`docs/upgrading.md does not say which releases write and read entries of format ${entryFormat}.`);
}

function isGreater(one: string, other: string): boolean {
  return one.localeCompare(other, 'en', { numeric: true }) > 0;
}

function replace(file: string, pattern: RegExp, text: string): void {
  const content = readFileSync(file, 'utf8');
  if (!pattern.test(content)) {
    git('checkout', '--', '.');
    fail(
      file === changelogFile
        ? 'CHANGELOG.md has nothing under Unreleased: say what callers and operators notice.'
        : `${file} holds no version to replace.`,
    );
  }
  writeFileSync(file, content.replace(pattern, text));
}

function git(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8' }).trim();
}

function fail(reason: string): never {
  console.error(reason);
  process.exit(1);
}
