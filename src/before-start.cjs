// Plain JavaScript, so that every Node can read it: loaded before anything else by the scripts of package.json.
if (!process.features.typescript) {
  console.error(
    `Folio runs on Node 26, and ${process.version} cannot read its source. Run "npm ci", which installs Node 26 as a package, and then "npm start".`,
  );
  process.exit(1);
}

require('node:module').enableCompileCache('node_modules/.cache/compiled');

// npm sends a signal to the shell of its script. That shell ends without passing it on, and this process gets another
// parent. (`exec` in the script would prevent this, but cmd.exe does not know it.)
if (process.env.npm_lifecycle_event) {
  const shell = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM'); // changes nothing when the process is already stopping
  }, 250);
  timer.unref();
}
