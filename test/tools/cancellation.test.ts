import { describe, expect, it } from 'vitest';
import { Cancellation, type CancelSignal } from '../../src/tools/cancellation.ts';

const implementations: [string, () => { signal: CancelSignal; abort(reason?: unknown): void }][] = [
  [
    'a Cancellation',
    () => {
      const cancellation = new Cancellation();
      return { signal: cancellation, abort: (reason) => cancellation.abort(reason) };
    },
  ],
  [
    'an AbortController',
    () => {
      const controller = new AbortController();
      return { signal: controller.signal, abort: (reason) => controller.abort(reason) };
    },
  ],
];

describe.each(implementations)('%s', (_name, create) => {
  it('calls each listener once, with the first reason, and none that was removed or added later', () => {
    const { signal, abort } = create();
    const calls: string[] = [];
    const second = () => calls.push('second');
    signal.addEventListener('abort', () => {
      calls.push(`first: ${signal.reason}`);
      signal.removeEventListener('abort', second);
    });
    signal.addEventListener('abort', second);
    const removed = () => calls.push('removed');
    signal.addEventListener('abort', removed);
    signal.removeEventListener('abort', removed);
    expect([signal.aborted, signal.reason]).toEqual([false, undefined]);
    expect(() => signal.throwIfAborted()).not.toThrow();
    abort('left');
    abort('again');
    signal.addEventListener('abort', () => calls.push('late'));
    expect(calls).toEqual(['first: left']);
    expect(() => signal.throwIfAborted()).toThrow('left');
  });

  it('calls a listener that was added twice once', () => {
    const { signal, abort } = create();
    let calls = 0;
    const listener = () => {
      calls += 1;
    };
    signal.addEventListener('abort', listener);
    signal.addEventListener('abort', listener, { once: true });
    abort();
    expect(calls).toBe(1);
  });

  it('is aborted with an AbortError by default', () => {
    const { signal, abort } = create();
    abort();
    expect(signal.reason).toMatchObject({ name: 'AbortError', message: 'This operation was aborted' });
  });
});

it('a Cancellation calls its other listeners when one fails, then throws the fault', () => {
  const cancellation = new Cancellation();
  const calls: string[] = [];
  const fault = new Error('a fault');
  cancellation.addEventListener('abort', () => {
    throw fault;
  });
  cancellation.addEventListener('abort', () => calls.push('second'));
  expect(() => cancellation.abort()).toThrow(expect.objectContaining({ errors: [fault] }));
  expect(calls).toEqual(['second']);
});
