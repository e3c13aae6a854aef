/** Writes RESULTS.md: a section for each workload, replaced by each new measurement. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, release } from 'node:os';
import { contenders, installedVersion } from './contenders.ts';
import { wrkVersion } from './load/wrk.ts';
import { isPinned } from './processes.ts';
import { nginxVersion } from './upstream/nginx.ts';

/** The revision when the run begins: the report that it writes makes the tree dirty. */
const measured = revision();

const preface = `# Results

Written by \`npm run bench -- --workload … --report bench/RESULTS.md\`; README.md describes how to read them. All figures of a table
were measured in one run. Do not compare figures of different sections.
`;

/** Adds or replaces a section. The sections are in the order of their headings. */
export function writeSection(path: string, heading: string, body: string): void {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : preface;
  const [head = preface, ...sections] = text.split(/^(?=## )/m);
  const section = `## ${heading}\n\n${body.trim()}\n\n`;
  const others = sections.filter((other) => nameOf(other) !== nameOf(section));
  const ordered = [...others, section].sort((a, b) => nameOf(a).localeCompare(nameOf(b)));
  writeFileSync(path, `${head.trimEnd()}\n\n${ordered.map((each) => `${each.trimEnd()}\n`).join('\n')}`);
}

function nameOf(section: string): string {
  return /^## (\w+)/.exec(section)?.[1] ?? '';
}

/** The date, versions, machine and settings of a measurement. */
export function circumstances(said: string): string {
  const packages = [...new Set(contenders.flatMap((contender) => contender.packages))];
  const versions = packages.flatMap((name) => {
    const version = installedVersion(name);
    return version ? [`${name} ${version}`] : [];
  });
  return [
    `${new Date().toISOString().slice(0, 10)}, Folio at ${measured}. ${said}`,
    `Node ${process.versions.node}, nginx ${nginxVersion() ?? 'absent'}, wrk ${wrkVersion() ?? 'absent'}, Linux ${release()}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}${isPinned ? '' : ' (not pinned)'}.`,
    `${versions.join(', ')}.`,
  ].join('  \n');
}

function revision(): string {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8' }).trim();
  } catch {
    return 'an unknown revision';
  }
}
