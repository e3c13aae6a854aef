/** Puts what libraries and Node itself print into the log, so that every line is JSON. */
import { format } from 'node:util';
import type { Log } from './log.ts';

const maxLength = 500;
const levels = { debug: 'debug', log: 'info', info: 'info', warn: 'warn', error: 'error' } as const;

/** Replaces the methods of `console`, and what Node prints about warnings. An error that is printed is logged as any other. */
export function logPrintedLines(log: Log, ownProcess: NodeJS.Process): void {
  for (const [method, level] of Object.entries(levels)) {
    Object.assign(console, {
      [method](...args: unknown[]) {
        const text = format(...args.filter((arg) => !(arg instanceof Error))).slice(0, maxLength);
        const err = args.find((arg) => arg instanceof Error);
        log[level]({ text: text || undefined, ...(err && { err }) }, 'printed by a library');
      },
    });
  }
  ownProcess.removeAllListeners('warning');
  ownProcess.on('warning', ({ name, message }) =>
    log.warn({ name, text: message.slice(0, maxLength) }, 'warning of Node.js'),
  );
}
