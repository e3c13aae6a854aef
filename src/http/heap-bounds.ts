/** Bounds on connections, event streams and files, by the heap of the process. */
import { getHeapStatistics } from 'node:v8';

/** Memory that a connection without a request is counted with, and the share of the heap for those beyond MAX_SOCKETS. */
const connectionBytes = 8 * 1024;
const marginShare = 1 / 8;

/** Most connections that wait for a request: each may hold an incomplete head of 16 KiB, together an eighth of the heap. */
export function maxIdleConnections(heapBytes = getHeapStatistics().heap_size_limit): number {
  return Math.floor(heapBytes / 8 / (16 * 1024));
}

/**
 * Most event streams: each takes up to 16 KiB, and the connection may hold the incomplete head of a request behind it. All
 * together may hold a quarter of the heap, newcomers half of that.
 */
export function maxEventStreams(heapBytes = getHeapStatistics().heap_size_limit): number {
  return Math.floor(heapBytes / 4 / (32 * 1024));
}

/**
 * Most uploaded files that are being read or wait: each holds up to 256 KiB in buffers of Node and of the parser, outside the
 * heap, together a quarter of its size.
 */
export function maxFiles(heapBytes = getHeapStatistics().heap_size_limit): number {
  return Math.floor(heapBytes / 4 / (256 * 1024));
}

/** Most TCP connections: `maxSockets` and as many more as an eighth of the heap holds, but no more than the whole heap. */
export function maxConnections(maxSockets: number, heapBytes = getHeapStatistics().heap_size_limit): number {
  const inHeap = Math.floor(heapBytes / connectionBytes);
  return Math.min(maxSockets + Math.floor(inHeap * marginShare), inHeap);
}
