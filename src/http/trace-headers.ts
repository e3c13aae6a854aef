/** The trace that a caller's request belongs to, by its headers `traceparent` and `tracestate`. */
import type { Caller } from '../caller.ts';
import type { ResponseProgress } from './request-and-response.ts';
import type { RequestHead } from './request-head.ts';

/** What tracing has to know about an HTTP request. */
export function tracedBy(
  { headers: { traceparent, tracestate } }: RequestHead,
  response: ResponseProgress,
): Pick<Caller, 'trace' | 'onResponse'> {
  return {
    trace: traceparent ? { traceparent: String(traceparent), tracestate: tracestate?.toString() } : undefined,
    onResponse(sent) {
      if (response.closed) sent(response.statusCode);
      else response.once('close', () => sent(response.statusCode));
    },
  };
}
