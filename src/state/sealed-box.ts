import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';

/** The context of a sealed value: its key in Redis, and the plain values next to it. */
type Binding = readonly string[];

/** First byte of a sealed value, followed by the nonce, the tag and the encrypted structured clone. Version 1 had no such byte. */
const version = Buffer.from([2]);
const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Encrypts values with the fleet's secret, because values that leave the process contain personal data: AES-256-GCM and
 * HMAC-SHA-256 with keys derived from the secret (RFC 5869) and a new nonce for each value.
 */
export function createSealedBox(secret: string) {
  const key = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
  const sealKey = key('folio sealed box');
  const fingerprintKey = key('folio fingerprint');
  /** JSON separates the parts: two different bindings never have the same text. */
  const associatedData = (binding: Binding) => Buffer.concat([version, Buffer.from(JSON.stringify(binding))]);
  return {
    /** The bytes can be opened with the same binding only, so they cannot be moved to another entry. */
    seal(value: unknown, binding: Binding): Buffer {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, sealKey, nonce).setAAD(associatedData(binding));
      // The structured clone preserves dates and undefined; JSON does not.
      const sealed = [cipher.update(serialize(value)), cipher.final()];
      return Buffer.concat([version, nonce, cipher.getAuthTag(), ...sealed]);
    },
    /** Undefined if the bytes were sealed by another fleet, for another binding or in another format, or are damaged. */
    open(bytes: Buffer, binding: Binding): unknown {
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
    /** A keyed hash: the same for equal texts with the same binding. Without the secret a guessed text cannot be checked against it. */
    fingerprint: (text: string, binding: Binding) =>
      createHmac('sha256', fingerprintKey)
        .update(JSON.stringify([text, ...binding]))
        .digest('base64url'),
  };
}
