/** The outbox of `@folio/client/outbox` as a composable. */
import { type App, inject, onScopeDispose, type ShallowRef, shallowRef } from 'vue';
import type { Outbox, OutboxAction } from '../outbox.ts';

const outboxKey = Symbol('outbox');

/** `app.use(outboxPlugin, createOutbox(url, session, { user }))`. */
export const outboxPlugin: { install(app: App, outbox: Outbox): void } = {
  install: (app, outbox) => void app.provide(outboxKey, outbox),
};

export interface UsedOutbox extends Outbox {
  /** The actions in the order in which they were added, after each change in any tab. */
  readonly actions: Readonly<ShallowRef<readonly OutboxAction[]>>;
}

export function useOutbox(): UsedOutbox {
  const outbox = inject<Outbox>(outboxKey);
  if (!outbox) throw new Error('The composable needs app.use(outboxPlugin, outbox).');
  const actions = shallowRef(outbox.current());
  onScopeDispose(
    outbox.onChange(() => {
      actions.value = outbox.current();
    }),
  );
  return { ...outbox, actions };
}
