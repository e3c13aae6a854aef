/** Bounds the TCP connections of the process. WebSockets and event streams have a bound of their own, in `shares/sockets.ts`. */
import { getHeapStatistics } from 'node:v8';

/** Memory that a connection without a request is counted with, and the share of the heap for those beyond MAX_SOCKETS. */
const connectionBytes = 8 * 1024;
const marginShare = 1 / 8;

/** Most TCP connections: `maxSockets` and as many more as an eighth of the heap holds, but no more than the whole heap. */
export function maxConnections(maxSockets: number, heapBytes = getHeapStatistics().heap_size_limit): number {
  const inHeap = Math.floor(heapBytes / connectionBytes);
  return Math.min(maxSockets + Math.floor(inHeap * marginShare), inHeap);
}
