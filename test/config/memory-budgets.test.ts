import { getHeapStatistics } from 'node:v8';
import { describe, expect, it } from 'vitest';
import { countBounds, heapSize, memoryBudgets, responsesBytes } from '../../src/config/memory-budgets.ts';

const MiB = 1024 * 1024;

describe('the memory of the process', () => {
  it('is the heap without 96 MiB, the young generation', () => {
    expect(heapSize()).toBe(getHeapStatistics().heap_size_limit - 96 * MiB);
  });

  it('is divided by the shares of docs/limits.md, each with its upper bound', () => {
    const inMiB = (heapMiB: number) =>
      Object.entries(memoryBudgets(heapMiB * MiB)).map(
        ([part, bytes]) => [part, Math.round((bytes / MiB) * 10) / 10] as const,
      );
    const most: Record<string, number> = { documentCache: 8, admission: 32 };
    const parts = { joins: 8, operationDocuments: 8, watches: 8, ...most };
    expect(Object.fromEntries(inMiB(256))).toEqual({
      ...{
        requestBodies: 16,
        writesInProgress: 16,
        idempotencyLedger: 16,
        subscriptions: 12,
        unreadResults: 12,
      },
      ...{ operationVariables: 10, waitingCalls: 10, ...parts, admission: 3.6 },
    });
    for (const [part, size] of inMiB(65_536)) expect([part, size]).toEqual([part, most[part] ?? 256]);
  });

  it('holds responses in a quarter of its size, 64 to 512 MiB', () => {
    const sizes = [128, 1_024, 4_096].map((heapMiB) => responsesBytes(heapMiB * MiB) / MiB);
    expect(sizes).toEqual([64, 256, 512]);
  });

  it('has room for so many connections and files', () => {
    const ofConnections = { idleConnections: 2_048, eventStreams: 1_638, files: 256 };
    expect(countBounds(256 * MiB, 20_000)).toEqual({ ...ofConnections, sockets: 8_192, connections: 16_384 });
    expect(countBounds(256 * MiB, 100)).toEqual({ ...ofConnections, sockets: 100, connections: 8_292 });
  });
});
