import { describe, expect, it, vi } from 'vitest';
import { Cancellation, type CancelSignal } from '../../src/tools/cancellation.ts';

const implementations: [string, () => { signal: CancelSignal; abort(reason?: unknown): void }][] = [
  ['an AbortController', () => new AbortController()],
  [
    'a Cancellation',
    () => {
      const signal = new Cancellation();
      return { signal, abort: (reason) => signal.abort(reason) };
    },
  ],
];

describe.each(implementations)('%s', (_name, create) => {
  it('calls each listener once, with the first reason, and none that was removed or added later', () => {
    const controller = create();
    const { signal } = controller;
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
    controller.abort('left');
    controller.abort('again');
    signal.addEventListener('abort', () => calls.push('late'));
    expect(calls).toEqual(['first: left']);
    expect(() => signal.throwIfAborted()).toThrow('left');
  });

  it('calls a listener that was added twice once, and is aborted with an AbortError by default', () => {
    const controller = create();
    const { signal } = controller;
    const listener = vi.fn();
    signal.addEventListener('abort', listener);
    signal.addEventListener('abort', listener);
    controller.abort();
    expect(listener).toHaveBeenCalledTimes(1);
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
