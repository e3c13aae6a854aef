import { storedText } from '../shared/stored-text.ts';

/**
 * The scan whose result this tab does not have yet, kept through a reload. The idempotency key is not a secret: without the
 * credentials it shows nothing.
 */
export interface PendingScan {
  readonly idempotencyKey: string;
  readonly fileName: string;
}

const stored = storedText(() => sessionStorage, 'folio-pending-scan');

export function rememberScan(scan: PendingScan): void {
  stored.set(JSON.stringify(scan));
}

/** Forgets it; with a key only the scan that has this key, since another may have begun. */
export function forgetScan(idempotencyKey?: string): void {
  if (idempotencyKey === undefined || rememberedScan()?.idempotencyKey === idempotencyKey) stored.remove();
}

export function rememberedScan(): PendingScan | null {
  const text = stored.get();
  return text === null ? null : (JSON.parse(text) as PendingScan);
}
