/** The log line of one operation, in the order of its members. */
export interface OperationLine {
  readonly requestId: string;
  /** Tag of the caller's lane. */
  readonly lane: string;
  /** Type of the operation. */
  readonly operation: string;
  /** Name that the client gave to the operation. */
  readonly name: string | undefined;
  readonly hash: string;
  readonly outcome: string | readonly string[];
  /** Names of the bounds that refused it, or a part of it. */
  readonly bound: string | readonly string[] | undefined;
  readonly durationMs: number;
  /** Number of results of a subscription. */
  readonly events: number | undefined;
  readonly calls: readonly LoggedCall[];
  readonly traceId: string | undefined;
}

interface LoggedCall {
  readonly operation: string;
  readonly kind: string;
  readonly status: number | undefined;
  readonly attempts: number;
  readonly durationMs: number;
}

/** Words that JSON writes unchanged, and in which no credential can be recognized: it would follow ":", "=" or a blank. */
const words = /^[\w-]*$/;

/**
 * Returns the line exactly as `log.info(line, 'operation')` writes it, or undefined when a member has another form than
 * ids, names and codes have: then the log must write and redact the line itself.
 */
export function operationLine(line: OperationLine): string | undefined {
  const { requestId, lane, operation, name, hash, outcome, bound, durationMs, events, calls, traceId } = line;
  const outcomes = typeof outcome === 'string' ? outcome : outcome.join('');
  let text = requestId + lane + operation + hash + outcomes + (name ?? '') + (traceId ?? '');
  if (bound !== undefined) text += typeof bound === 'string' ? bound : bound.join('');
  for (const call of calls) text += call.operation + call.kind;
  if (!words.test(text)) return undefined;

  const time = new Date().toISOString();
  text = `{"level":"info","time":"${time}","requestId":"${requestId}","lane":"${lane}","operation":"${operation}"`;
  if (name !== undefined) text += `,"name":"${name}"`;
  text += `,"hash":"${hash}","outcome":${typeof outcome === 'string' ? `"${outcome}"` : JSON.stringify(outcome)}`;
  if (bound !== undefined) text += `,"bound":${JSON.stringify(bound)}`;
  text += `,"durationMs":${durationMs}`;
  if (events !== undefined) text += `,"events":${events}`;
  text += `,"calls":[${calls.length > 0 ? calls.map(callText).join(',') : ''}]`;
  if (traceId !== undefined) text += `,"traceId":"${traceId}"`;
  return `${text},"msg":"operation"}\n`;
}

function callText({ operation, kind, status, attempts, durationMs }: LoggedCall): string {
  const ofResponse = status === undefined ? '' : `,"status":${status}`;
  return `{"operation":"${operation}","kind":"${kind}"${ofResponse},"attempts":${attempts},"durationMs":${durationMs}}`;
}
