/** Calls functions of the page. What one throws is reported as not caught: it must end neither the work nor the other calls. */

export function callBack(call: () => void): void {
  try {
    call();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}

/** Those that are added meanwhile are not called: one that stops and begins to listen in its call would be called for ever. */
export function callAll(listeners: ReadonlySet<() => void>): void {
  for (const listener of [...listeners]) if (listeners.has(listener)) callBack(listener);
}
