/** The hooks of `@folio/client/react` and of the example application for writes. React and urql are replaced by what they use of them. */
import { resolve } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { createApp, toValue } from 'vue';
import type { Folio } from '../../packages/client/src/folio.ts';
import { useImport, useScan } from '../../packages/client/src/react.ts';
import { folioPlugin, useImport as useImportInVue } from '../../packages/client/src/vue.ts';
import { createWrites, type ScanOptions } from '../../packages/client/src/writes.ts';
import { render, unmount } from '../support/fake-react.ts';

const { sent, urql, fakeReact } = vi.hoisted(() => {
  /** The writes that the example has sent: each ends when it is called. */
  const sent: ((result: object) => Promise<void>)[] = [];
  const toPromise = () =>
    new Promise((resolve) =>
      sent.push(async (result) => {
        resolve(result);
        await new Promise(setImmediate);
      }),
    );
  const fakeReact = async () => (await import('../support/fake-react.ts')).react;
  return { sent, fakeReact, urql: { useClient: () => ({ mutation: () => ({ toPromise }) }) } };
});
vi.mock('react', fakeReact);
vi.mock('urql', () => urql);
// Those of the example, where they are installed.
vi.mock('../../examples/web/node_modules/react', fakeReact);
vi.mock('../../examples/web/node_modules/urql', () => urql);
vi.mock('../../examples/web/src/language/language.ts', () => ({ locale: () => 'EN' }));
afterEach(unmount);

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
  const sentBy = (user: Folio) => render(useScan, user).sent;
  void render(useScan, alice).run(file, { queueId: '7' });
  running[0]?.onProgress?.(1, 4);
  expect(sentBy(alice)).toBe(0.25);
  expect(sentBy(bob)).toBe(0);
  running[0]?.onProgress?.(2, 4);
  expect(sentBy(bob)).toBe(0);
  void render(useScan, bob).run(file, { queueId: '7' });
  running[1]?.onProgress?.(1, 4);
  running[0]?.onProgress?.(4, 4);
  expect(sentBy(bob)).toBe(0.25);
});

it.each([
  ['React', (folio: Folio) => () => render(useImport, folio)],
  [
    'Vue',
    (folio: Folio) => {
      const written = createApp({}).use(folioPlugin, folio).runWithContext(useImportInVue);
      return () => written;
    },
  ],
])('a write in %s runs no more when its input cannot be sent', async (_library, rendered) => {
  const written = rendered(createWrites(vi.fn()) as Folio);
  const invoice = { docType: 'INVOICE' as const, docNumber: '1', lines: [], extra: { rate: 5n } };
  await expect(written().run([{ queueId: '7', invoice }])).rejects.toThrow('BigInt');
  const { isRunning, outcome } = written();
  expect([toValue(isRunning), toValue(outcome)]).toEqual([false, undefined]);
});

// Their packages need not be installed.
const shared = 'examples/web/src/shared';
const { useWrite } = await import(resolve(shared, 'use-write.ts'));
const { useIdempotencyKey } = await import(resolve(shared, 'use-idempotency-key.ts'));
const { forgetScan, rememberedScan, rememberScan } = await import(resolve(shared, '../scan/pending-scan.ts'));
const { useGroups } = await import(resolve(shared, '../groups/use-groups.ts'));
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

it('sends the same content with the same key, also after other content, until it is renewed', () => {
  const keyFor = (content: string) => render(() => useIdempotencyKey(content));
  const first = keyFor('card 1').take();
  expect(keyFor('card 1').take()).toBe(first);
  const other = keyFor('card 2').take();
  expect(other).not.toBe(first);
  expect(keyFor('card 1').take()).toBe(first);
  const again = keyFor('card 1').renew();
  expect([first, other]).not.toContain(again);
  expect(keyFor('card 1').key).toBe(again);
  expect(keyFor('card 2').key).toBe(other);
});

it('keeps the key of what is typed when what was typed before has ended', () => {
  const keyFor = (content: string) => render(() => useIdempotencyKey(content));
  const { renew } = keyFor('a group');
  const typed = keyFor('the next group').take();
  renew();
  expect(keyFor('the next group').take()).toBe(typed);
});

it('clears the name of a group that was created, and keeps the next one that was typed meanwhile', async () => {
  const form = () => render(useGroups) as ReturnType<typeof useGroups>;
  for (const [id, typed, left] of [
    ['301', 'one', ''],
    ['302', 'the next one', 'the next one'],
  ]) {
    form().setName('one');
    form().create();
    form().setName(typed);
    await sent.at(-1)?.({ data: { createGroup: { __typename: 'Group', id, warnings: [] } } });
    expect([form().groups[0].id, form().name]).toEqual([id, left]);
  }
});

it('remembers no scan for a reload where the user has blocked the data of sites', () => {
  const get = () => {
    throw new DOMException('Access is denied for this document.', 'SecurityError');
  };
  Object.defineProperty(globalThis, 'sessionStorage', { configurable: true, get });
  rememberScan({ idempotencyKey: 'the key of a scan', fileName: 'card.png' });
  expect(rememberedScan()).toBeNull();
  forgetScan();
});
