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
