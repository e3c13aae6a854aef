import { ViewHeader } from '../shared/ViewHeader.tsx';

export function FapiaoView() {
  return <ViewHeader title="Fapiao">Soon.</ViewHeader>;
}
