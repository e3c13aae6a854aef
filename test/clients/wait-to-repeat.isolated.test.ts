/** The wait of `packages/client` before an operation is sent again. */
import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { waitToRepeat } from '../../packages/client/src/wait-to-repeat.ts';

describe('an operation that is sent again', () => {
  const listenersOfPage = () => getEventListeners(page, 'online').length;
  let page: EventTarget;
  beforeEach(() => {
    page = new EventTarget();
    for (const method of ['addEventListener', 'removeEventListener'] as const)
      vi.stubGlobal(method, page[method].bind(page));
    Object.defineProperty(navigator, 'onLine', { value: false, configurable: true });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
    Object.defineProperty(navigator, 'onLine', { value: undefined, configurable: true });
  });

  it('waits until the browser is online again', async () => {
    let isOver = false;
    const waiting = waitToRepeat(0).then(() => {
      isOver = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isOver).toBe(false);
    page.dispatchEvent(new Event('online'));
    await waiting;
    expect(listenersOfPage()).toBe(0);
  });

  it('waits five minutes for the browser to be online, and leaves no listener', async () => {
    vi.useFakeTimers();
    const waiting = waitToRepeat(0);
    expect(listenersOfPage()).toBe(1);
    vi.advanceTimersByTime(5 * 60_000);
    await waiting;
    expect(listenersOfPage()).toBe(0);
  });

  it('leaves no timer and no listener when it is aborted before', async () => {
    vi.useFakeTimers();
    const cancel = new AbortController();
    const waiting = waitToRepeat(30_000, cancel.signal);
    cancel.abort(new Error('The page is closed.'));
    await expect(waiting).rejects.toThrow('The page is closed.');
    expect([vi.getTimerCount(), listenersOfPage()]).toEqual([0, 0]);
    expect(getEventListeners(cancel.signal, 'abort')).toEqual([]);
  });
});
