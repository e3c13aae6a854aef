import type { CreatedGroupFragment } from '../graphql/graphql.ts';
import { localDateTime } from '../shared/dates.ts';
import { TableBox } from '../shared/TableBox.tsx';

export function GroupTable({ groups }: { readonly groups: readonly CreatedGroupFragment[] }) {
  return (
    <TableBox label="Groups created on this page">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Number</th>
          <th scope="col">Created</th>
          <th scope="col">Owner</th>
          <th scope="col">Queues</th>
        </tr>
      </thead>
      <tbody>
        {groups.map(({ id, name, createdAt, ownerId, queueCount }) => (
          <tr key={id}>
            <th scope="row">{name || <span className="muted">without a name</span>}</th>
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
