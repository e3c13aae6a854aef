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

export function callAll(listeners: Iterable<() => void>): void {
  for (const listener of listeners) callBack(listener);
}
