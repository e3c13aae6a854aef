/**
 * The log: JSON lines without credentials. An error is logged as `{ err }` with selected members, and a line that
 * mentions a credential is redacted before it is written.
 */
import { type DestinationStream, destination, type LevelWithSilent, type Logger, pino } from 'pino';
import { loggedErrors } from './metrics.ts';

export type Log = Logger;

interface LogOptions {
  readonly level: LevelWithSilent;
  /** Whether the messages of errors are left out: a message from a library may quote any data. */
  readonly production: boolean;
  /** Default: standard output, written synchronously, so that no line is lost when the process exits. */
  readonly destination?: DestinationStream;
}

const lowestError = pino.levels.values['error'] as number;

export function createLog(options: LogOptions): Log {
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: (error: unknown) => describeError(error, options.production) },
      hooks: {
        logMethod(args, method, level) {
          if (level >= lowestError) loggedErrors.inc();
          // Without a text pino would use the error's message, which may quote any data.
          const [line, text] = args as unknown[];
          const fields = line instanceof Error ? { err: line } : line;
          const { err } = Object(fields) as { readonly err?: unknown };
          if (text === undefined && err instanceof Error) method.call(this, fields, err.name);
          else method.apply(this, args);
        },
        streamWrite: redactCredentials,
      },
    },
    options.destination ?? destination({ sync: true }),
  );
}

const maxMessageLength = 500;
const maxFrames = 10;
const maxCauses = 5;

function describeError(error: unknown, production: boolean, depth = 0): object {
  if (!(error instanceof Error)) return { name: `thrown ${typeof error}` };
  const { code } = error as { code?: unknown };
  const hasCause = error.cause !== undefined && depth < maxCauses;
  return {
    name: error.name,
    code: typeof code === 'string' || typeof code === 'number' ? code : undefined,
    message: production ? undefined : error.message.slice(0, maxMessageLength),
    stack: frames(error),
    cause: hasCause ? describeError(error.cause, production, depth + 1) : undefined,
  };
}

function frames({ stack = '', message }: Error): readonly string[] {
  return (stack.replace(message, '').match(/(?<=^ +at ).+$/gm) ?? []).slice(0, maxFrames);
}

const names = '(?:x[-_]?)?api[-_]?key|(?:proxy-)?authorization|(?:set-)?cookie|connection_?params';
const isName = new RegExp(`^(?:${names})$`, 'i');
/** Without the optional beginnings of `names`: every line is searched. */
const mention = /api[-_]?key|authorization|cookie|connection_?params|bearer|eyJ/i;
const pair = new RegExp(`((?:${names})["']?\\s*[:=]\\s*["']?)(?:\\w+\\s+)?[^\\s"',;}]+`, 'gi');
const bearer = /\b(bearer\s+)[^\s"',;}]+/gi;
/** It also fits where no point follows: looking for one would take time that grows with the square of the length. */
const jsonWebToken = /\beyJ[\w-]*(?:\.[\w-]*)*/g;
const redacted = '[redacted]';

/**
 * Returns the line without credentials, wherever it comes from: members at any depth by name, flat lists of headers, and quotes
 * inside strings.
 */
function redactCredentials(line: string): string {
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
