/**
 * The hooks of `@folio/client/react` when another user signs in, and when an input cannot be sent, as in Vue. React itself is
 * replaced by what the hooks use of it.
 */
import { afterEach, expect, it, vi } from 'vitest';
import { createApp, toValue } from 'vue';
import type { Folio } from '../../packages/client/src/folio.ts';
import { useImport, useScan } from '../../packages/client/src/react.ts';
import { folioPlugin, useImport as useImportInVue } from '../../packages/client/src/vue.ts';
import { createWrites, type ScanOptions } from '../../packages/client/src/writes.ts';

/** One component with hooks, rendered again after each change of its state. */
const react = vi.hoisted(() => {
  const cells: { value: unknown; readonly deps?: readonly unknown[] }[] = [];
  let at = 0;
  const cell = (initial: () => unknown) => (cells[at++] ??= { value: initial() });
  const useState = (initial: unknown) => {
    const own = cell(() => (typeof initial === 'function' ? initial() : initial));
    const set = (next: unknown) => {
      own.value = typeof next === 'function' ? next(own.value) : next;
    };
    return [own.value, set];
  };
  let provided: unknown;
  return {
    unmount: () => void cells.splice(0),
    /** Renders the component below a provider of this value. */
    render<T>(value: unknown, component: () => T): T {
      provided = value;
      at = 0;
      return component();
    },
    module: {
      createContext: () => ({ Provider: null }),
      useContext: () => provided,
      useState,
      useRef: (initial: unknown) => cell(() => ({ current: initial })).value,
      useCallback(callback: unknown, deps: readonly unknown[]) {
        const own = cell(() => undefined) as { value: unknown; deps?: readonly unknown[] };
        if (!own.deps?.every((one, index) => one === deps[index]))
          Object.assign(own, { value: callback, deps });
        return own.value;
      },
    },
  };
});
vi.mock('react', () => react.module);
afterEach(react.unmount);

it('the progress of a scan is not shown to the user who signs in next', () => {
  const running: ScanOptions[] = [];
  const folioOf = () =>
    ({
      scan(_file: File, options: ScanOptions) {
        running.push(options);
        return new Promise(() => {});
      },
    }) as unknown as Folio;
  const [alice, bob] = [folioOf(), folioOf()];
  const file = new File(['a card'], 'card.png');
  const sentBy = (user: Folio) => react.render(user, useScan).sent;
  void react.render(alice, useScan).run(file, { queueId: '7' });
  running[0]?.onProgress?.(1, 4);
  expect(sentBy(alice)).toBe(0.25);
  expect(sentBy(bob)).toBe(0);
  running[0]?.onProgress?.(2, 4);
  expect(sentBy(bob)).toBe(0);
  void react.render(bob, useScan).run(file, { queueId: '7' });
  running[1]?.onProgress?.(1, 4);
  running[0]?.onProgress?.(4, 4);
  expect(sentBy(bob)).toBe(0.25);
});

it.each([
  ['React', (folio: Folio) => () => react.render(folio, useImport)],
  [
    'Vue',
    (folio: Folio) => {
      const written = createApp({}).use(folioPlugin, folio).runWithContext(useImportInVue);
      return () => written;
    },
  ],
])('a write in %s runs no more when its input cannot be sent', async (_library, rendered) => {
  const render = rendered(createWrites(vi.fn()) as Folio);
  const invoice = { docType: 'INVOICE' as const, docNumber: '1', lines: [], extra: { rate: 5n } };
  await expect(render().run([{ queueId: '7', invoice }])).rejects.toThrow('BigInt');
  const { isRunning, outcome } = render();
  expect([toValue(isRunning), toValue(outcome)]).toEqual([false, undefined]);
});
