/** Bounds on connections, event streams and files, by the heap of the process. */

/** Most WebSockets and event streams: `most`, but no more than one for each 32 KiB of the heap. An idle WebSocket takes 10 KiB. */
export function maxSockets(most: number, heapBytes: number): number {
  return Math.min(most, Math.floor(heapBytes / (32 * 1024)));
}

/** Most connections that wait for a request: each may hold an incomplete head of 16 KiB, together an eighth of the heap. */
export function maxIdleConnections(heapBytes: number): number {
  return Math.floor(heapBytes / 8 / (16 * 1024));
}

/**
 * Most event streams: each takes up to 16 KiB, and the connection may hold the incomplete head of a request behind it. All
 * together may hold a quarter of the heap, newcomers half of that.
 */
export function maxEventStreams(heapBytes: number): number {
  return Math.floor(heapBytes / 4 / (32 * 1024));
}

/**
 * Most uploaded files that are being read or wait: each holds up to 256 KiB in buffers of Node and of the parser, outside the
 * heap, together a quarter of its size.
 */
export function maxFiles(heapBytes: number): number {
  return Math.floor(heapBytes / 4 / (256 * 1024));
}

/** Most TCP connections: the sockets, and one more for each 64 KiB of the heap. */
export function maxConnections(sockets: number, heapBytes: number): number {
  return maxSockets(sockets, heapBytes) + Math.floor(heapBytes / (64 * 1024));
}
