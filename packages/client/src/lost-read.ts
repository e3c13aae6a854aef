/** Errors of reads that got no response. A write that got none may have been done; with a read there is nothing to do. */

const errors = new WeakSet<object>();

/** Marks the error of a read, and returns it. */
export function lostRead<Failure>(error: Failure): Failure {
  if (typeof error === 'object' && error !== null) errors.add(error);
  return error;
}

export const isLostRead = (error: unknown) =>
  typeof error === 'object' && error !== null && errors.has(error);
