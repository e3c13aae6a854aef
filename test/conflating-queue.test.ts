import { describe, expect, it } from 'vitest';
import { createConflatingQueue } from '../src/malaysia/conflating-queue.ts';

describe('a conflating queue', () => {
  it('calls onEnd once when it is ended, even without a reader', () => {
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

  it('delivers the latest value of each key once after its end', async () => {
    const queue = createConflatingQueue<string, number>(() => {});
    queue.put('a', 1);
    queue.put('b', 2);
    queue.put('a', 3);
    queue.end();
    queue.put('a', 4);
    expect(await Array.fromAsync(queue.values)).toEqual([3, 2]);
  });

  it('delivers the error that ended it after its values', async () => {
    const queue = createConflatingQueue<string, number>(() => {});
    queue.put('a', 1);
    queue.end(new Error('over'));
    expect(await queue.values.next()).toEqual({ done: false, value: 1 });
    await expect(queue.values.next()).rejects.toThrow('over');
    expect(await queue.values.next()).toEqual({ done: true, value: undefined });
  });
});
