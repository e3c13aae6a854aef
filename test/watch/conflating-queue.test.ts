import { describe, expect, it } from 'vitest';
import { ConflatingQueue } from '../../src/watch/conflating-queue.ts';

describe('a conflating queue', () => {
  it('calls onEnd once when it is ended, even without a reader', () => {
    let released = 0;
    class CountingQueue extends ConflatingQueue<string, number> {
      protected override onEnd() {
        released += 1;
      }
    }
    const queue = new CountingQueue();
    queue.put('a', 1);
    expect(released).toBe(0);
    queue.end();
    expect(released).toBe(1);
    queue.end();
    void queue.return();
    expect(released).toBe(1);
  });

  it('delivers the latest value of each key once after its end', async () => {
    const queue = new ConflatingQueue<string, number>();
    queue.put('a', 1);
    queue.put('b', 2);
    queue.put('a', 3);
    queue.end();
    queue.put('a', 4);
    expect(await Array.fromAsync(queue)).toEqual([3, 2]);
  });

  it('delivers the error that ended it after its values', async () => {
    const queue = new ConflatingQueue<string, number>();
    queue.put('a', 1);
    queue.end(new Error('over'));
    expect(await queue.next()).toEqual({ done: false, value: 1 });
    await expect(queue.next()).rejects.toThrow('over');
    expect(await queue.next()).toEqual({ done: true, value: undefined });
  });
});
