import type { CreatedGroupFragment } from '../graphql/graphql.ts';
import { t } from '../language/language.ts';
import { localDateTime } from '../shared/dates.ts';
import { TableBox } from '../shared/TableBox.tsx';
import { words } from './words.ts';

export function GroupTable({ groups }: { readonly groups: readonly CreatedGroupFragment[] }) {
  return (
    <TableBox label={t(words.created)}>
      <thead>
        <tr>
          <th scope="col">{t(words.name)}</th>
          <th scope="col">{t(words.number)}</th>
          <th scope="col">{t(words.createdAt)}</th>
          <th scope="col">{t(words.owner)}</th>
          <th scope="col">{t(words.queues)}</th>
        </tr>
      </thead>
      <tbody>
        {groups.map(({ id, name, createdAt, ownerId, queueCount }) => (
          <tr key={id}>
            <th scope="row">{name || <span className="muted">{t(words.withoutName)}</span>}</th>
            <td className="mono">{id}</td>
            <td>{createdAt ? <time dateTime={createdAt}>{localDateTime(createdAt)}</time> : '–'}</td>
            <td className="mono">{ownerId ?? '–'}</td>
            <td>{queueCount ?? '–'}</td>
          </tr>
        ))}
      </tbody>
    </TableBox>
  );
}
