import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '../caller.ts';

/** What tracing has to know about an HTTP request. */
export function tracedBy(
  { headers: { traceparent, tracestate } }: IncomingMessage,
  response: ServerResponse,
): Pick<Caller, 'trace' | 'onResponse'> {
  return {
    trace: traceparent ? { traceparent: String(traceparent), tracestate: tracestate?.toString() } : undefined,
    onResponse(sent) {
      if (response.closed) sent(response.statusCode);
      else response.once('close', () => sent(response.statusCode));
    },
  };
}
