import { useState } from 'react';
import { type CreatedGroupFragment, CreateGroupDocument } from '../graphql/graphql.ts';
import { locale } from '../language/language.ts';
import { useIdempotencyKey } from '../shared/use-idempotency-key.ts';
import { useWrite } from '../shared/use-write.ts';

export function useGroups() {
  const [name, setName] = useState('');
  const [groups, setGroups] = useState<readonly CreatedGroupFragment[]>([]);
  const [{ fetching, data, error }, mutate] = useWrite(CreateGroupDocument);
  const { take, renew } = useIdempotencyKey(name);
  const outcome = data?.createGroup;

  async function create() {
    const input = { name: name.trim() || null, idempotencyKey: take() };
    const result = await mutate({ input, locale: locale() });
    const made = result.data?.createGroup;
    if (made?.__typename !== 'Group') return;
    // Pressing the button twice adds the group once.
    setGroups((before) => [made, ...before.filter(({ id }) => id !== made.id)]);
    // The next one may have been typed meanwhile.
    setName((typed) => (typed === name ? '' : typed));
    renew();
  }

  return {
    name,
    setName,
    groups,
    create: () => void create(),
    isCreating: fetching,
    error: fetching ? undefined : error,
    warnings: outcome?.__typename === 'Group' ? outcome.warnings : [],
    refusal: outcome?.__typename === 'InvalidInput' ? outcome : null,
  };
}
