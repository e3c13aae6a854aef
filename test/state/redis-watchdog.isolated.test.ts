import { EventEmitter } from 'node:events';
import type { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchConnection } from '../../src/state/redis-watchdog.ts';

/** A connection whose replies the test decides. */
class Connection extends EventEmitter {
  status = 'ready';
  pings = 0;
  replies = true;
  disconnects: boolean[] = [];

  ping(): Promise<string> {
    this.pings += 1;
    return this.replies ? Promise.resolve('PONG') : new Promise(() => {});
  }

  disconnect(reconnect: boolean): void {
    this.disconnects.push(reconnect);
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
    expect(connection.disconnects).toEqual([]);
  });

  it('is replaced after 2 seconds without a reply', async () => {
    await afterSeconds(2);
    connection.replies = false;
    await afterSeconds(2);
    expect(connection.disconnects).toEqual([]);
    await afterSeconds(2);
    // `true`: ioredis connects again.
    expect(connection.disconnects).toEqual([true]);
  });

  it('is replaced when it was opened and never became ready', async () => {
    connection.status = 'connect';
    await afterSeconds(4);
    expect(connection.pings).toBe(0);
    expect(connection.disconnects).toEqual([true]);
  });

  it('is not replaced while ioredis connects again', async () => {
    connection.replies = false;
    await afterSeconds(2);
    connection.status = 'reconnecting';
    await afterSeconds(20);
    expect(connection.pings).toBe(1);
    expect(connection.disconnects).toEqual([]);
  });

  it('is not checked while it is closed, so that none keeps a process running that gives it up then', async () => {
    connection.emit('close');
    await afterSeconds(20);
    expect(connection.pings).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });
});
