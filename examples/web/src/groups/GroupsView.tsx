import { EmptyState } from '../shared/EmptyState.tsx';
import { ErrorNotice } from '../shared/ErrorNotice.tsx';
import { Panel } from '../shared/Panel.tsx';
import { RefusalNotice } from '../shared/RefusalNotice.tsx';
import { ViewHeader } from '../shared/ViewHeader.tsx';
import { GroupForm } from './GroupForm.tsx';
import { GroupTable } from './GroupTable.tsx';
import { useGroups } from './use-groups.ts';
import './groups.css';

export function GroupsView() {
  const { name, setName, create, isCreating, error, refusal, groups } = useGroups();
  return (
    <>
      <ViewHeader title="Groups">
        A group holds queues, which are added to it later. The service cannot list groups: this page lists
        those that you created on it.
      </ViewHeader>
      <div className="stack">
        <Panel title="New group">
          <div className="stack">
            <GroupForm name={name} isCreating={isCreating} onName={setName} onCreate={create} />
            {error && <ErrorNotice error={error} isKeyed onRetry={create} />}
            {refusal && <RefusalNotice refusal={refusal} />}
          </div>
        </Panel>
        <Panel title="Groups created on this page">
          {groups.length === 0 ? (
            <EmptyState title="No groups yet">A group that you create appears here with its id.</EmptyState>
          ) : (
            <GroupTable groups={groups} />
          )}
        </Panel>
      </div>
    </>
  );
}
