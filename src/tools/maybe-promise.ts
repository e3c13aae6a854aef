/** A value that may be known already: to wait for it would take a promise and a step. */
export type MaybePromise<T> = Promise<T> | T;
