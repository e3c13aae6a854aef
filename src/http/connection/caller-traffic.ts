/** Counts the bytes of each caller, for the metric of the callers who use most. */
import type { Socket } from 'node:net';
import { type Lane, laneTag } from '../../caller.ts';
import type { Metrics } from '../../telemetry/metrics.ts';

/** Returns a function that counts for a caller what its connection has read and written since the last call. */
export function createCallerTraffic({ topCallers }: Metrics): (lane: Lane, socket: Socket) => void {
  const counted = new WeakMap<Socket, number>();
  return (lane, socket) => {
    const total = socket.bytesRead + socket.bytesWritten;
    topCallers.add('bytes', laneTag(lane), total - (counted.get(socket) ?? 0));
    counted.set(socket, total);
  };
}
