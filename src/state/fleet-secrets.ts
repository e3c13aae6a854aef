/** What is derived from the fleet's secret, and its rotation: while two secrets are in use, entries of both are known. */
import { createHmac } from 'node:crypto';
import { createLaneMaker } from '../caller.ts';
import type { Config } from '../config/config.ts';
import { createSealedBox } from './sealed-box.ts';

/** With the one before, while it is rotated. */
type LaneSecret = NonNullable<Config['laneSecret']>;

export type FleetKeys = ReturnType<typeof createFleetKeys>;

export function createFleetKeys(secret: string) {
  return {
    /** The name of a key in Redis. The parts are hashed with the secret and cannot be read back. */
    keyOf: (use: string, ...parts: readonly string[]) =>
      `folio:${use}:{${createHmac('sha256', secret).update(JSON.stringify(parts)).digest('base64url')}}`,
    box: createSealedBox(secret),
    laneOf: createLaneMaker(secret),
  };
}

export type FleetSecrets = ReturnType<typeof createFleetSecrets>;

/** What is derived from both secrets. Read a member at each use: it changes with the file of LANE_SECRET. */
export function createFleetSecrets({ current, former }: LaneSecret) {
  return {
    current: createFleetKeys(current),
    former: former === undefined ? undefined : createFleetKeys(former),
  };
}
