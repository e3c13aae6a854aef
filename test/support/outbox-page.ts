/** A page with an outbox, for a browser and for a fake of one: what a test makes its user do. */
import { CreateGroupDocument, ScanIdentityCardDocument } from '../../packages/client/src/gql/graphql.ts';
import { createOutbox } from '../../packages/client/src/outbox.ts';
import { createSession } from '../../packages/client/src/session.ts';

export interface PageOptions {
  readonly url: string;
  readonly apiKey: string;
  readonly token: string;
  readonly user: string;
  /** Whether tabs share renewed tokens. */
  readonly isShared: boolean;
}

/** `corrupt`: a file that the sandbox refuses. */
export interface PlannedAction {
  readonly kind: 'group' | 'scan' | 'corrupt';
  readonly title: string;
  readonly sequence: string | undefined;
}

export type OutboxPage = ReturnType<typeof openOutboxPage>;

export function openOutboxPage({ url, apiKey, token, user, isShared }: PageOptions) {
  let renewals = 0;
  const session = createSession(apiKey, token, {
    fetchToken: async () => `${token}-${++renewals}`,
    ...(isShared && { sharedAs: `session of ${user}` }),
  });
  const outbox = createOutbox(url, session, { user });
  const file = (name: string) => new File([`card of ${name}`], name, { type: 'image/png' });
  return {
    /** Resolves when it is stored. */
    add({ kind, title, sequence }: PlannedAction) {
      const options = { title, ...(sequence !== undefined && { sequence }) };
      if (kind === 'group') return outbox.add(CreateGroupDocument, { input: { name: title } }, options);
      const name = kind === 'scan' ? `${title}.png` : `${title}-corrupt.png`;
      return outbox.add(ScanIdentityCardDocument, { input: { file: file(name), queueId: '7' } }, options);
    },
    actions: outbox.list,
    sendAgain: outbox.sendAgain,
    remove: outbox.remove,
  };
}

Object.assign(globalThis, { openOutboxPage });
