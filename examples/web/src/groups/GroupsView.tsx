import { EmptyState } from '../shared/EmptyState.tsx';
import { ErrorNotice } from '../shared/ErrorNotice.tsx';
import { Panel } from '../shared/Panel.tsx';
import { RefusalNotice } from '../shared/RefusalNotice.tsx';
import { ViewHeader } from '../shared/ViewHeader.tsx';
import { Warnings } from '../shared/Warnings.tsx';
import { GroupForm } from './GroupForm.tsx';
import { GroupTable } from './GroupTable.tsx';
import { useGroups } from './use-groups.ts';
import './groups.css';
import { t } from '../language/language.ts';
import { words } from './words.ts';

export function GroupsView() {
  const { name, setName, create, isCreating, error, refusal, warnings, groups } = useGroups();
  return (
    <>
      <ViewHeader title={t(words.title)}>{t(words.about)}</ViewHeader>
      <div className="stack">
        <Panel title={t(words.newGroup)}>
          <div className="stack">
            <GroupForm name={name} isCreating={isCreating} onName={setName} onCreate={create} />
            {error && <ErrorNotice error={error} isKeyed onRetry={create} />}
            {refusal && <RefusalNotice refusal={refusal} />}
            <Warnings warnings={warnings} />
          </div>
        </Panel>
        <Panel title={t(words.created)}>
          {groups.length === 0 ? (
            <EmptyState title={t(words.none)}>{t(words.appearsHere)}</EmptyState>
          ) : (
            <GroupTable groups={groups} />
          )}
        </Panel>
      </div>
    </>
  );
}
