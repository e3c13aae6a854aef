import { EventEmitter } from 'node:events';
import type { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchConnection } from '../../src/state/redis-watchdog.ts';

/** A connection whose replies the test decides. */
class Connection extends EventEmitter {
  status = 'ready';
  pings = 0;
  replies = true;
  readonly reasons: string[] = [];
  /** ioredis connects again when it is destroyed. */
  readonly stream = { destroy: ({ message }: Error) => this.reasons.push(message) };

  ping(): Promise<string> {
    this.pings += 1;
    return this.replies ? Promise.resolve('PONG') : new Promise(() => {});
  }
}

describe('a connection to Redis', () => {
  let connection: Connection;

  beforeEach(() => {
    vi.useFakeTimers();
    connection = new Connection();
    watchConnection(connection as unknown as Redis);
    connection.emit('connect');
  });
  afterEach(() => vi.useRealTimers());

  const afterSeconds = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1_000 + 1);

  it('is kept while it replies', async () => {
    await afterSeconds(20);
    expect(connection.pings).toBe(10);
    expect(connection.reasons).toEqual([]);
  });

  it('is replaced at once after 2 seconds without a reply', async () => {
    await afterSeconds(2);
    connection.replies = false;
    await afterSeconds(2);
    expect(connection.reasons).toEqual([]);
    await afterSeconds(2);
    expect(connection.reasons).toEqual(['Redis does not reply: Command timed out']);
  });

  it('is replaced when it was opened and never became ready', async () => {
    connection.status = 'connect';
    await afterSeconds(4);
    expect(connection.pings).toBe(0);
    expect(connection.reasons).toEqual(['Redis does not reply: Command timed out']);
  });

  it('is not replaced while ioredis connects again', async () => {
    connection.replies = false;
    await afterSeconds(2);
    connection.status = 'reconnecting';
    await afterSeconds(20);
    expect(connection.pings).toBe(1);
    expect(connection.reasons).toEqual([]);
  });

  it('is not checked while it is closed, so that none keeps a process running that gives it up then', async () => {
    const timers = vi.getTimerCount();
    connection.emit('close');
    expect(vi.getTimerCount()).toBe(timers - 1);
    await afterSeconds(20);
    expect(connection.pings).toBe(0);
  });
});
