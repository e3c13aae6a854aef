import type { ComponentType } from 'react';
import { ExportView } from '../export/ExportView.tsx';
import { FapiaoView } from '../fapiao/FapiaoView.tsx';
import { GroupsView } from '../groups/GroupsView.tsx';
import { MalaysiaView } from '../malaysia/MalaysiaView.tsx';
import { MexicoView } from '../mexico/MexicoView.tsx';
import { OutboxView } from '../outbox/OutboxView.tsx';
import { ScanView } from '../scan/ScanView.tsx';

export type ViewName = 'scan' | 'outbox' | 'groups' | 'export' | 'mexico' | 'fapiao' | 'malaysia';

interface ViewEntry {
  readonly name: ViewName;
  readonly View: ComponentType;
}

export const views: readonly ViewEntry[] = [
  { name: 'scan', View: ScanView },
  { name: 'outbox', View: OutboxView },
  { name: 'groups', View: GroupsView },
  { name: 'export', View: ExportView },
  { name: 'mexico', View: MexicoView },
  { name: 'fapiao', View: FapiaoView },
  { name: 'malaysia', View: MalaysiaView },
];

/** `#/mexico` and `#/mexico/1002` name the view; anything else is the first. */
export function viewOfHash(hash: string): ViewName {
  return views.find(({ name }) => name === hash.split('/')[1])?.name ?? 'scan';
}
