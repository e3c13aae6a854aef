/** What `--to` of `npm run build`, `npm run client` and `npm run test-kit` may name: these empty the folder. */
import { dirname, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { targetFolder } from '../../scripts/target-folder.ts';

const root = resolve('.');

it.each(['', '.', '..', '/', `${root}/`, `dist/..`, dirname(root)])('"%s" is refused', (to) => {
  expect(() => targetFolder(to)).toThrow('must not contain the project');
});

it.each(['dist', 'bench/dist/against', '../folio-dist', `${root}-dist`])('"%s" is accepted', (to) => {
  expect(targetFolder(to)).toBe(resolve(to));
});
