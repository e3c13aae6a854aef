import { ViewHeader } from '../shared/ViewHeader.tsx';

export function ExportView() {
  return <ViewHeader title="Export">Soon.</ViewHeader>;
}
