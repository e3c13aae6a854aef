import type { Caller } from '../caller.ts';
import type { RequestHead, ResponseProgress } from './graphql/http-request.ts';

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
