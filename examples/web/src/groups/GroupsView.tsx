import { ViewHeader } from '../shared/ViewHeader.tsx';

export function GroupsView() {
  return <ViewHeader title="Groups">Soon.</ViewHeader>;
}
