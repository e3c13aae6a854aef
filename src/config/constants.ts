/** Settings that no variable changes. */
export const constants = {
  /** Most bytes of a response of the service, before and after decompression. */
  maxResponseBytes: 32 * 1024 * 1024,
  maxSubscriptionsPerSocket: 200,
  maxWatchesPerCaller: 10_000,
  /** A subscription ends after this time (ms). */
  watchMaxMs: 3_600_000,
  /** How often the manifests of persisted operations are read again (ms). */
  manifestReloadMs: 5_000,
};
