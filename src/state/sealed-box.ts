import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';

/** What a sealed value belongs to: its key in Redis, and what stands next to it in the clear. */
export type Binding = readonly string[];

/** Values as bytes that only gateways of the same fleet can read: what leaves the process holds personal data. */
export interface SealedBox {
  /** The bytes open with the same binding only, so that none can be moved to another entry. */
  seal(value: unknown, binding: Binding): Buffer;
  /** undefined: sealed by another fleet, for another binding or in another format, or damaged. */
  open(bytes: Buffer, binding: Binding): unknown;
  /** A keyed hash: equal texts with the same binding have the same one, and no text can be guessed from it. */
  fingerprint(text: string, binding: Binding): string;
}

/** Format of a sealed value: this byte, the nonce, the tag, the encrypted structured clone. Before: no such byte. */
const version = Buffer.from([2]);
const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** AES-256-GCM and HMAC-SHA-256 under keys derived from the fleet's secret (RFC 5869), a new nonce for each value. */
export function createSealedBox(secret: string): SealedBox {
  const key = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
  const sealKey = key('folio sealed box');
  const fingerprintKey = key('folio fingerprint');
  /** JSON keeps the parts apart: no two bindings are the same text. */
  const associatedData = (binding: Binding) => Buffer.concat([version, Buffer.from(JSON.stringify(binding))]);
  return {
    seal(value, binding) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, sealKey, nonce).setAAD(associatedData(binding));
      // The structured clone keeps dates and undefined, which JSON would not.
      const sealed = [cipher.update(serialize(value)), cipher.final()];
      return Buffer.concat([version, nonce, cipher.getAuthTag(), ...sealed]);
    },
    open(bytes, binding) {
      const [nonceAt, tagAt, textAt] = [1, 1 + nonceBytes, 1 + nonceBytes + tagBytes];
      if (bytes.length < textAt || bytes[0] !== version[0]) return undefined;
      try {
        const decipher = createDecipheriv(algorithm, sealKey, bytes.subarray(nonceAt, tagAt));
        decipher.setAAD(associatedData(binding)).setAuthTag(bytes.subarray(tagAt, textAt));
        return deserialize(Buffer.concat([decipher.update(bytes.subarray(textAt)), decipher.final()]));
      } catch {
        return undefined;
      }
    },
    fingerprint: (text, binding) =>
      createHmac('sha256', fingerprintKey)
        .update(JSON.stringify([text, ...binding]))
        .digest('base64url'),
  };
}
