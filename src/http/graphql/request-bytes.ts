import type { RequestHead } from './http-request.ts';

/** Memory of a request without its body, estimated (bytes): 8 KiB, and 256 bytes for each header. */
export function requestBytes({ rawHeaders }: RequestHead): number {
  return 8 * 1024 + 128 * rawHeaders.length;
}
