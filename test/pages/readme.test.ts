import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const readme = readFileSync('README.md', 'utf8');

describe('the README', () => {
  it('has its two commands in its first block', () => {
    expect(readme).toMatch(/```sh\nnpm ci && npm start .*\nnpm ci && npm test /);
  });

  it('links its section Changes to CHANGELOG.md, which lists the changes of this version', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(readme).toMatch(/^## Changes\n\n\[CHANGELOG\.md\]\(CHANGELOG\.md\) /m);
    expect(/^## \[(\d\S*)\]/m.exec(readFileSync('CHANGELOG.md', 'utf8'))?.[1]).toBe(version);
  });
});
