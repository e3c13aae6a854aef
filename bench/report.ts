/** RESULTS.md: a section for each workload, replaced when it is measured again. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, release } from 'node:os';
import { contenders, installedVersion } from './contenders.ts';
import { wrkVersion } from './load/wrk.ts';
import { isPinned } from './processes.ts';
import { nginxVersion } from './upstream/nginx.ts';

const preface = `# Results

Written by \`npm run bench -- --workload … --report bench/RESULTS.md\`; README.md says how to read them. Every figure of a table
was measured in one run; figures of different sections are not for comparing.
`;

/** Puts the section in its place: the sections are in the order of their headings. */
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

/** When, with what and how a section was measured. */
export function circumstances(said: string): string {
  const packages = [...new Set(contenders.flatMap((contender) => contender.packages))];
  const versions = packages.flatMap((name) => {
    const version = installedVersion(name);
    return version ? [`${name} ${version}`] : [];
  });
  return [
    `${new Date().toISOString().slice(0, 10)}, Folio at ${revision()}. ${said}`,
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
