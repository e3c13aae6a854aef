/** A change that one waits for: changes between two waits count as one. */
export interface Signal {
  readonly set: () => void;
  /** Resolves at the next change since the last wait, or after `ms`. */
  within(ms: number): Promise<void>;
}

export function createSignal(): Signal {
  let isSet = false;
  let wake = () => {};
  return {
    set() {
      isSet = true;
      wake();
    },
    async within(ms) {
      if (!isSet) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      isSet = false;
    },
  };
}
