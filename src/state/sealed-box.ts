import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';

/** Values as bytes that only gateways of the same fleet can read: what leaves the process holds personal data. */
export interface SealedBox {
  seal(value: unknown): Buffer;
  /** undefined: sealed by another fleet, or damaged. */
  open(bytes: Buffer): unknown;
}

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** AES-256-GCM under a key derived from the fleet's secret (RFC 5869), a new nonce for each value. */
export function createSealedBox(secret: string): SealedBox {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'folio sealed box', 32));
  return {
    seal(value) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, key, nonce);
      // The structured clone keeps dates and undefined, which JSON would not.
      const sealed = [cipher.update(serialize(value)), cipher.final()];
      return Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]);
    },
    open(bytes) {
      try {
        const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes));
        decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
        return deserialize(
          Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]),
        );
      } catch {
        return undefined;
      }
    },
  };
}
