#!/usr/bin/env node
// The command `folio` of the package that `npm run build` writes: the gateway, or `folio why`. Plain JavaScript, so that
// every Node can read it. Where the Node that runs it is too old, the gateway runs under the one that npm has installed
// with the package as an optional dependency.
const { spawn } = require('node:child_process');
const { constants } = require('node:os');
const { join, dirname } = require('node:path');
const { pathToFileURL } = require('node:url');

const { optionalDependencies = {} } = require('./package.json');
require('./stop-with-parent.cjs');

const entry = join(__dirname, process.argv[2] === 'why' ? 'why.js' : 'main.js');

if (Number.parseInt(process.versions.node, 10) >= 26) {
  import(pathToFileURL(entry).href);
} else {
  const child = spawn(installedNode(), [entry, ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (status, signal) => process.exit(status ?? 128 + constants.signals[signal]));
}

/** Path of the binary in the package for this platform. */
function installedNode() {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const name = Object.keys(optionalDependencies).find((name) =>
    name.endsWith(`-${platform}-${process.arch}`),
  );
  try {
    const manifest = require.resolve(`${name}/package.json`);
    return join(dirname(manifest), require(manifest).bin.node);
  } catch {
    console.error(
      `Folio runs on Node 26, and this is ${process.version}. npm installs Node 26 with Folio unless optional dependencies are left out: install them, or run Folio under Node 26.`,
    );
    process.exit(1);
  }
}
