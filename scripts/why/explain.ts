/** Explains a request in plain words: what the caller asked, what decided, what was done, what to say and what to change. */
import { codeWith, type ErrorCode, errorDescriptions } from '../../src/errors.ts';
import { describeBound } from './bound-settings.ts';
import { type Cause, causeOf } from './causes.ts';
import {
  boundsOf,
  isOfBug,
  isOfOperation,
  isOfRefused,
  type LoggedError,
  type LogLine,
  outcomesOf,
} from './log-line.ts';

interface Explanation {
  readonly text: string;
  /** Whether a line is about the request. */
  readonly isFound: boolean;
}

const notFound = (
  requestId: string,
) => `No line is about the request ${requestId}. Either the lines are of another time or gateway (each gateway has
its own log), or they are not JSON (npm start prints it with NODE_ENV=production), or LOG_LEVEL is above info, or lines
were dropped (folio_log_lines_dropped_total), or the request did not reach a gateway: a balancer refused it, or its id has another form than 8 to 64 letters, digits, "_" or "-" and was
replaced (the response's header x-request-id has the new one).`;

/** `lines`: in any order, also of other requests. */
export function explain(lines: readonly LogLine[], requestId: string): Explanation {
  const own = lines.filter((line) => line.requestId === requestId && isOfOperation(line));
  if (own.length === 0) return { text: notFound(requestId), isFound: false };
  return { text: own.map((line) => explainLine(line, lines)).join('\n\n'), isFound: true };
}

function explainLine(line: LogLine, lines: readonly LogLine[]): string {
  const codes = outcomesOf(line).filter((code) => code in errorDescriptions) as ErrorCode[];
  const causes = causesOf(line, codes);
  const rows: [string, string][] = [
    ['Asked', asked(line)],
    ['Calls', calls(line)],
    ['Decided', causes.map(({ what }) => what).join('; ')],
    ['Done', done(line, codes)],
    [
      'Tell the caller',
      codes.map((code) => errorDescriptions[code].advice).join(' ') || 'Nothing: there is no error.',
    ],
    ['Change', [...new Set(causes.map(({ setting }) => setting))].join('; ')],
    ...earlier(line, lines),
    ...bugs(line, lines),
  ];
  return rows.map(([name, text]) => `${`${name}:`.padEnd(17)}${text}`).join('\n');
}

function asked(line: LogLine): string {
  const { requestId, time, lane, clientName, clientVersion = '', operation, name, hash, durationMs } = line;
  if (isOfRefused(line)) return `${time}: an operation that was refused before it ran (request ${requestId})`;
  const what = [operation, name ?? 'without a name'].join(' ');
  const caller = clientName ? `${lane} with ${`${clientName} ${clientVersion}`.trim()}` : lane;
  return `${time}: ${what} (hash ${hash?.slice(0, 12)}) of the caller ${caller}, ${durationMs} ms (request ${requestId})`;
}

function calls({ calls = [] }: LogLine): string {
  if (calls.length === 0) return 'none to the document service';
  return calls
    .map(({ operation, status, attempts, cause, durationMs }) => {
      if (attempts === 0) return `${operation}: not sent, ${durationMs} ms`;
      const times = attempts === 1 ? '' : `, ${attempts} attempts`;
      const none = cause ? `no response (${cause})` : 'no response';
      return `${operation}: ${status ? `status ${status}` : none}, ${durationMs} ms${times}`;
    })
    .join('; ');
}

function causesOf(line: LogLine, codes: readonly ErrorCode[]): readonly Cause[] {
  const bounds = boundsOf(line).map((bound) => {
    const { what, setting } = describeBound(bound);
    return { what: `the bound ${bound} (${what})`, setting };
  });
  const others = codes.filter((code) => bounds.length === 0 || codeWith(code).bound === undefined);
  const causes = [...bounds, ...others.map((code) => causeOf(line, code))];
  if (causes.length > 0) return causes;
  const left = outcomesOf(line).includes('caller_left');
  return [{ what: left ? 'the caller disconnected before the result' : 'nothing failed', setting: 'none' }];
}

function done({ sideEffect, calls = [], outcome, sentBy }: LogLine, codes: readonly ErrorCode[]): string {
  if (sideEffect === 'APPLIED')
    return 'yes: the document service did it, but the caller has no complete result.';
  if (sideEffect === 'POSSIBLE')
    return 'perhaps: look it up at the document service before anybody sends it again.';
  const writes = calls.filter(({ kind }) => kind === 'write');
  if (codes.length === 0 && outcome !== 'caller_left') {
    if (sentBy) return 'yes, once, by the first request with this idempotency key.';
    return writes.length > 0 ? 'yes.' : 'nothing was to be done: it only reads.';
  }
  if (outcome === 'caller_left' && writes.length > 0)
    return 'yes, if the write has a 2xx status other than 204 and 205: it runs to its end.';
  return 'no: nothing was done at the document service.';
}

/** The request that was sent under the same idempotency key. */
function earlier({ sentBy = [] }: LogLine, lines: readonly LogLine[]): [string, string][] {
  return sentBy.map((requestId) => {
    const line = lines.find((one) => one.requestId === requestId && isOfOperation(one));
    const found = line
      ? `${calls(line)}, with the outcome ${outcomesOf(line).join(', ')}`
      : 'not in these lines';
    return ['Sent by', `request ${requestId}: ${found}`];
  });
}

function bugs({ requestId }: LogLine, lines: readonly LogLine[]): [string, string][] {
  const found = lines.filter((line) => line.requestId === requestId && isOfBug(line));
  return found.map(({ err }) => {
    const bug = innermost(err);
    return ['Bug', `${bug?.name}\n  at ${bug?.stack?.join('\n  at ')}`];
  });
}

/** The error without those that GraphQL and the gateway have put around it. */
function innermost(err: LoggedError | undefined): LoggedError | undefined {
  return err?.cause ? innermost(err.cause) : err;
}
