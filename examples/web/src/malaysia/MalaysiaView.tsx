import { ViewHeader } from '../shared/ViewHeader.tsx';

export function MalaysiaView() {
  return <ViewHeader title="Malaysia">Soon.</ViewHeader>;
}
