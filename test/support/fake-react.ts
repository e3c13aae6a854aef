/** What hooks use of React: one component, which is rendered again after each change of its state. */
interface Cell {
  value: unknown;
  readonly deps?: readonly unknown[];
}

const cells: Cell[] = [];
let [at, hasChanged] = [0, false];
let provided: unknown;

const cell = (initial: () => unknown): Cell => (cells[at++] ??= { value: initial() });

/** Renders the component, below a provider of this value. */
export function render<T>(component: () => T, value?: unknown): T {
  provided = value;
  for (;;) {
    [at, hasChanged] = [0, false];
    const rendered = component();
    if (!hasChanged) return rendered;
  }
}

export const unmount = () => void cells.splice(0);

export const react = {
  createContext: () => ({ Provider: null }),
  useContext: () => provided,
  useState(initial: unknown) {
    const own = cell(() => (typeof initial === 'function' ? initial() : initial));
    const set = (next: unknown) => {
      own.value = typeof next === 'function' ? next(own.value) : next;
      hasChanged = true;
    };
    return [own.value, set];
  },
  useRef: (initial: unknown) => cell(() => ({ current: initial })).value,
  useCallback(callback: unknown, deps: readonly unknown[]) {
    const own = cell(() => undefined);
    if (!own.deps?.every((one, index) => one === deps[index])) Object.assign(own, { value: callback, deps });
    return own.value;
  },
};
