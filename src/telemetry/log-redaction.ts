/** Removes credentials from the lines of the log, wherever they come from: no line is trusted. */

const names = '(?:x[-_]?)?api[-_]?key|(?:proxy-)?authorization|(?:set-)?cookie|connection_?params';
const isName = new RegExp(`^(?:${names})$`, 'i');
/** Without the optional beginnings of `names`: every line is searched. */
const mention = /api[-_]?key|authorization|cookie|connection_?params|bearer|eyJ/i;
const pair = new RegExp(`((?:${names})["']?\\s*[:=]\\s*["']?)(?:\\w+\\s+)?[^\\s"',;}]+`, 'gi');
const bearer = /\b(bearer\s+)[^\s"',;}]+/gi;
/** It also fits where no point follows: looking for one would take time that grows with the square of the length. */
const jsonWebToken = /\beyJ[\w-]*(?:\.[\w-]*)*/g;
const redacted = '[redacted]';

/** Returns the line without credentials: members at any depth by name, flat lists of headers, and quotes inside strings. */
export function redactCredentials(line: string): string {
  if (!mention.test(line)) return line;
  const cleaned: unknown = JSON.parse(line, (name, value: unknown) => {
    if (isName.test(name)) return redacted;
    if (Array.isArray(value))
      return value.map((item, at) => (isName.test(String(value[at - 1])) ? redacted : item));
    if (typeof value !== 'string') return value;
    return value
      .replace(pair, `$1${redacted}`)
      .replace(bearer, `$1${redacted}`)
      .replace(jsonWebToken, redacted);
  });
  return `${JSON.stringify(cleaned)}\n`;
}
