/** The folder that `--to` names. It is emptied before it is written. */
import { join, resolve, sep } from 'node:path';

/** Throws for no folder, as in `--to "$UNSET"`, and for the project's own and those around it: they would be removed. */
export function targetFolder(to: string): string {
  const target = resolve(to);
  const root = resolve(import.meta.dirname, '..');
  if (to === '' || join(root, sep).startsWith(join(target, sep)))
    throw new RangeError('--to must be a folder that may be emptied, and must not contain the project.');
  return target;
}
