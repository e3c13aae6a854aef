/** The hook of the example application for writes. React and urql are replaced by what it uses of them. */
import { resolve } from 'node:path';
import { expect, it, vi } from 'vitest';

const { render, sent, modules } = vi.hoisted(() => {
  const cells: { value: unknown }[] = [];
  let at = 0;
  const cell = (value: unknown) => (cells[at++] ??= { value });
  /** The writes that were sent: each ends when it is called. */
  const sent: ((result: object) => Promise<void>)[] = [];
  const toPromise = () =>
    new Promise((resolve) =>
      sent.push(async (result) => {
        resolve(result);
        await new Promise(setImmediate);
      }),
    );
  return {
    sent,
    render<T>(component: () => T): T {
      at = 0;
      return component();
    },
    modules: {
      react: {
        useState(initial: unknown) {
          const own = cell(initial);
          return [own.value, (next: unknown) => (own.value = next)];
        },
        useRef: (initial: unknown) => cell({ current: initial }).value,
      },
      urql: { useClient: () => ({ mutation: () => ({ toPromise }) }) },
    },
  };
});
vi.mock('react', () => modules.react);
vi.mock('urql', () => modules.urql);

// Its packages are not installed here.
const { useWrite } = await import(resolve('examples/web/src/shared/use-write.ts'));
const shown = () => render(() => useWrite({}));

it('shows the result of the write that was sent last, whichever ends last', async () => {
  expect(shown()[0]).toEqual({ fetching: false, data: undefined, error: undefined });
  const [, send] = shown();
  const first = send({});
  void send({});
  expect(shown()[0]).toMatchObject({ fetching: true });
  await sent[1]?.({ data: { id: 'of the second' } });
  expect(shown()[0]).toMatchObject({ fetching: false, data: { id: 'of the second' } });
  await sent[0]?.({ data: { id: 'of the first' } });
  expect(shown()[0]).toMatchObject({ fetching: false, data: { id: 'of the second' } });
  expect(await first).toEqual({ data: { id: 'of the first' } });
});
