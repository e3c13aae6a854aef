/** What is derived from the fleet's secret, and its rotation: while two secrets are in use, entries of both are known. */
import { createHmac } from 'node:crypto';
import { createLaneMaker, type LaneMaker } from '../caller.ts';
import type { Config } from '../config/config.ts';
import { createSealedBox, type SealedBox } from './sealed-box.ts';

/** With the one before, while it is rotated. */
type LaneSecret = NonNullable<Config['laneSecret']>;

export interface FleetKeys {
  /** The name of a key in Redis. The parts are hashed with the secret and cannot be read back. */
  keyOf(use: string, ...parts: readonly string[]): string;
  readonly box: SealedBox;
  readonly laneOf: LaneMaker;
}

export function createFleetKeys(secret: string): FleetKeys {
  return {
    keyOf: (use, ...parts) =>
      `folio:${use}:{${createHmac('sha256', secret).update(JSON.stringify(parts)).digest('base64url')}}`,
    box: createSealedBox(secret),
    laneOf: createLaneMaker(secret),
  };
}

export interface FleetSecrets {
  current(): FleetKeys;
  former(): FleetKeys | undefined;
  /** Uses another secret from now on. */
  change(secret: LaneSecret): void;
}

export function createFleetSecrets(initial: LaneSecret): FleetSecrets {
  const keys = new Map<string, FleetKeys>();
  const keysOf = (secret: string) => keys.getOrInsertComputed(secret, createFleetKeys);
  let { current, former } = initial;
  return {
    current: () => keysOf(current),
    former: () => (former === undefined ? undefined : keysOf(former)),
    change(next) {
      ({ current, former } = next);
      for (const known of keys.keys()) if (known !== current && known !== former) keys.delete(known);
    },
  };
}
