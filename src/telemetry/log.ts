/**
 * The log: JSON lines, without credentials. An error is logged as `{ err }` and told by a
 * few chosen members; a finished line that mentions a credential is gone through once more.
 */
import {
  type DestinationStream,
  destination,
  type LevelWithSilent,
  type Logger,
  pino,
  stdTimeFunctions,
} from 'pino';

export type Log = Logger;

export interface LogOptions {
  readonly level: LevelWithSilent;
  /** In production the messages of errors stay out: one that is not ours may quote anything. */
  readonly production: boolean;
  /** Default: standard output, written at once, so that no line is lost when the process ends. */
  readonly destination?: DestinationStream;
}

export function createLog(options: LogOptions): Log {
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: (error: unknown) => describeError(error, options.production) },
      hooks: {
        logMethod(args, method) {
          // A line without a text would be given the message of its error.
          const [line, text] = args as unknown[];
          const fields = line instanceof Error ? { err: line } : line;
          if (text === undefined && hasError(fields)) method.call(this, fields, fields.err.name);
          else method.apply(this, args);
        },
        streamWrite: withoutCredentials,
      },
    },
    options.destination ?? destination({ sync: true }),
  );
}

function hasError(fields: unknown): fields is { readonly err: Error } {
  return typeof fields === 'object' && fields !== null && 'err' in fields && fields.err instanceof Error;
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

/** The stack's lines without the message above them. */
function frames({ stack = '', message }: Error): readonly string[] {
  return (stack.replace(message, '').match(/(?<=^ +at ).+$/gm) ?? []).slice(0, maxFrames);
}

const names = '(?:x[-_]?)?api[-_]?key|(?:proxy-)?authorization|(?:set-)?cookie|connection_?params';
const isName = new RegExp(`^(?:${names})$`, 'i');
const mention = new RegExp(`${names}|bearer|eyJ`, 'i');
const pair = new RegExp(`((?:${names})["']?\\s*[:=]\\s*["']?)(?:\\w+\\s+)?[^\\s"',;}]+`, 'gi');
const bearer = /\b(bearer\s+)[^\s"',;}]+/gi;
const jsonWebToken = /\beyJ[\w-]+(?:\.[\w-]+)+/g;
const redacted = '[redacted]';

/** Members of any depth by their names in any case, flat header lists, and what a text quotes. */
function withoutCredentials(line: string): string {
  if (!mention.test(line)) return line;
  const scrubbed: unknown = JSON.parse(line, (name, value: unknown) => {
    if (isName.test(name)) return redacted;
    if (Array.isArray(value))
      return value.map((item, at) => (isName.test(String(value[at - 1])) ? redacted : item));
    if (typeof value !== 'string') return value;
    return value
      .replace(pair, `$1${redacted}`)
      .replace(bearer, `$1${redacted}`)
      .replace(jsonWebToken, redacted);
  });
  return `${JSON.stringify(scrubbed)}\n`;
}
