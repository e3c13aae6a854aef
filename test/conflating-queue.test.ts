import { describe, expect, it } from 'vitest';
import { createConflatingQueue } from '../src/malaysia/conflating-queue.ts';

describe('the queue of a subscription', () => {
  it('releases its watches when it is ended, though nobody reads it', () => {
    let released = 0;
    const queue = createConflatingQueue<string, number>(() => (released += 1));
    queue.put('a', 1);
    expect(released).toBe(0);
    queue.end();
    expect(released).toBe(1);
    queue.end();
    void queue.values.return?.();
    expect(released).toBe(1);
  });

  it('still delivers what was put before its end, once each, the latest under each key', async () => {
    const queue = createConflatingQueue<string, number>(() => {});
    queue.put('a', 1);
    queue.put('b', 2);
    queue.put('a', 3);
    queue.end();
    queue.put('a', 4);
    expect(await Array.fromAsync(queue.values)).toEqual([3, 2]);
  });

  it('delivers the error that ended it after what was put before', async () => {
    const queue = createConflatingQueue<string, number>(() => {});
    queue.put('a', 1);
    queue.end(new Error('over'));
    expect(await queue.values.next()).toEqual({ done: false, value: 1 });
    await expect(queue.values.next()).rejects.toThrow('over');
    expect(await queue.values.next()).toEqual({ done: true, value: undefined });
  });
});
