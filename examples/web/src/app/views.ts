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
  readonly title: string;
  readonly View: ComponentType;
}

export const views: readonly ViewEntry[] = [
  { name: 'scan', title: 'Scan', View: ScanView },
  { name: 'outbox', title: 'Outbox', View: OutboxView },
  { name: 'groups', title: 'Groups', View: GroupsView },
  { name: 'export', title: 'Export', View: ExportView },
  { name: 'mexico', title: 'Mexico', View: MexicoView },
  { name: 'fapiao', title: 'Fapiao', View: FapiaoView },
  { name: 'malaysia', title: 'Malaysia', View: MalaysiaView },
];

/** `#/mexico` and `#/mexico/1002` name the view; anything else is the first. */
export function viewOfHash(hash: string): ViewName {
  return views.find(({ name }) => name === hash.split('/')[1])?.name ?? 'scan';
}
