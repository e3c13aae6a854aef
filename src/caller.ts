import { createHmac, randomBytes } from 'node:crypto';

declare const laneBrand: unique symbol;

/**
 * A caller's lane: whatever requests share is found under one, so that two callers never meet. Only a
 * `LaneMaker` makes lanes; an unkeyed look-up does not compile.
 */
export type Lane = string & { readonly [laneBrand]: never };

export interface LaneParts {
  readonly apiKey: string | undefined;
  readonly authorization: string | undefined;
}

export type LaneMaker = (parts: LaneParts) => Lane;

/**
 * Lanes as HMAC-SHA-256 of both credentials, so that no credential is stored and none can be guessed from a
 * lane. `secret`: the key, at least 32 bytes, the same for all gateways that share state. Default: random,
 * so that lanes mean nothing outside this process.
 */
export function createLaneMaker(secret: string | undefined): LaneMaker {
  const key = secret ?? randomBytes(32);
  return ({ apiKey, authorization }) =>
    createHmac('sha256', key)
      // JSON keeps the two apart: no pair of credentials reads as another pair, and absent is not empty.
      .update(JSON.stringify([apiKey ?? null, authorization ?? null]))
      .digest('base64url') as Lane;
}

/** Enough of a lane to tell two callers apart in a log, too little to look anything up. */
export function laneTag(lane: Lane): string {
  return lane.slice(0, 8);
}
