// Plain JavaScript, so that every Node can read it: loaded before anything else by the scripts of package.json.
if (!process.features.typescript) {
  console.error(
    `Folio runs on Node 26, and ${process.version} cannot read its source. Run "npm ci", which installs Node 26 as a package, and then "npm start".`,
  );
  process.exit(1);
}

require('node:module').enableCompileCache('node_modules/.cache/compiled');
require('./stop-with-parent.cjs');
