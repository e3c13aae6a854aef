import { expect, it } from 'vitest';
import { Cancellation } from '../../src/tools/cancellation.ts';
import { createSingleFlight } from '../../src/upstream/call/single-flight.ts';

/** A caller's signal that counts its listeners. */
class Caller extends Cancellation {
  readonly listeners = new Set<() => void>();

  override addEventListener(type: 'abort', listener: () => void): void {
    this.listeners.add(listener);
    super.addEventListener(type, listener);
  }

  override removeEventListener(type: 'abort', listener: () => void): void {
    this.listeners.delete(listener);
    super.removeEventListener(type, listener);
  }
}

/** A call that the test ends. */
function pendingCall() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const aborted: unknown[] = [];
  const call = {
    run(onEnd: () => void) {
      promise.then(onEnd, onEnd);
      return promise;
    },
    abort(reason: unknown) {
      aborted.push(reason);
      reject(reason);
    },
  };
  return { call, aborted, resolve, reject };
}

it.each<[string, (pending: ReturnType<typeof pendingCall>) => void]>([
  ['succeeded', ({ resolve }) => resolve('value')],
  ['failed', ({ reject }) => reject('failure')],
])('a shared call that %s keeps no listener on its callers and is not joined again', async (_how, end) => {
  const flights = createSingleFlight();
  const [first, second] = [new Caller(), new Caller()];
  const pending = pendingCall();
  const results = [flights.start('key', first, pending.call), flights.join('key', second)];
  expect([first.listeners.size, second.listeners.size]).toEqual([1, 1]);
  end(pending);
  await Promise.allSettled(results);
  expect([first.listeners.size, second.listeners.size]).toEqual([0, 0]);
  expect(flights.join('key', second)).toBeUndefined();
  first.abort('left later');
  second.abort('left later');
  expect(pending.aborted).toEqual([]);
});

it('a call whose caller disconnected is not joined by the next caller, who starts another one', async () => {
  const flights = createSingleFlight();
  const [left, next] = [new Caller(), new Caller()];
  const [one, other] = [pendingCall(), pendingCall()];
  const abandoned = flights.start('key', left, one.call);
  left.abort('left');
  await expect(abandoned).rejects.toBe('left');
  const result = flights.start('key', next, other.call);
  expect(flights.join('key', next)).toBe(result);
  other.resolve('value');
  expect(await result).toBe('value');
});
