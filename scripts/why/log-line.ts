/** The log lines that `folio why` understands: their members, and which operation or bug they are of. */
import type { Bound } from '../../src/bound-names.ts';
import type { CallSummary } from '../../src/caller.ts';
import type { ErrorCode, SideEffect } from '../../src/errors.ts';

/** The members of all kinds of lines. Which of them are there depends on `msg`. */
export interface LogLine {
  readonly msg: string;
  readonly time: string;
  readonly requestId: string;
  readonly lane?: string;
  readonly clientName?: string;
  readonly clientVersion?: string;
  readonly operation?: string;
  readonly name?: string;
  readonly hash?: string;
  readonly outcome?: Outcome | readonly Outcome[];
  readonly bound?: Bound | readonly Bound[];
  readonly sideEffect?: SideEffect;
  readonly reason?: string;
  readonly durationMs?: number;
  readonly calls?: readonly CallSummary[];
  readonly sentBy?: readonly string[];
  readonly err?: LoggedError;
}

export interface LoggedError {
  readonly name: string;
  readonly stack?: readonly string[];
  readonly cause?: LoggedError;
}

type Outcome = ErrorCode | 'ok' | 'caller_left';

/** The log line in a line of text, which may have a prefix such as the name of a container. */
export function lineIn(text: string): LogLine | undefined {
  const start = text.indexOf('{');
  if (start < 0) return undefined;
  try {
    const line: unknown = JSON.parse(text.slice(start));
    return typeof line === 'object' && line !== null && 'requestId' in line ? (line as LogLine) : undefined;
  } catch {
    return undefined;
  }
}

/** An operation that was executed, or refused before it was. */
export function isOfOperation(line: LogLine): boolean {
  return line.msg === 'operation' || isOfRefused(line);
}

export function isOfRefused({ msg }: LogLine): boolean {
  return msg === 'operation refused';
}

export function isOfBug({ msg }: LogLine): boolean {
  return msg === 'unforeseen error';
}

export function outcomesOf({ outcome = [] }: LogLine): readonly Outcome[] {
  return [outcome].flat() as readonly Outcome[];
}

export function boundsOf({ bound = [] }: LogLine): readonly Bound[] {
  return [bound].flat() as readonly Bound[];
}
