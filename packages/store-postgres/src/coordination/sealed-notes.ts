/**
 * Letters small enough for a notification. Any database user may notify and listen, so they are sealed with authenticated
 * encryption, under a key that the recipient has sent in a letter of its own, readable only with access to the tables.
 */
import { createCipheriv, createDecipheriv, generateKeySync } from 'node:crypto';

export interface Note {
  readonly id: string;
  readonly text: string;
}

/** Payloads must be under 8000 bytes, which is 6000 before base64. */
const BYTES_AT_MOST = 5_900;
const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
/** Length of a key in base64. */
export const KEY_CHARACTERS = 44;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export const newKey = (): Buffer => generateKeySync('aes', { length: KEY_BYTES * 8 }).export();

/** `null` for a key of another size, or invalid base64. */
export function parseKey(text: string): Buffer | null {
  const key = Buffer.from(text, 'base64');
  return key.length === KEY_BYTES ? key : null;
}

/** `null` if it does not fit. The id must not contain line breaks. `uuid`: a random one, unique to this note. */
export function seal(key: Buffer, { id, text }: Note, uuid: string): string | null {
  if (id.length + text.length > BYTES_AT_MOST) return null;
  const plain = Buffer.from(`${id}\n${text}`);
  if (plain.length > BYTES_AT_MOST) return null;
  const nonce = Buffer.from(uuid.replaceAll('-', ''), 'hex').subarray(0, NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce);
  const sealed = [nonce, cipher.update(plain), cipher.final()];
  return Buffer.concat([...sealed, cipher.getAuthTag()]).toString('base64');
}

/** `null` if it was not sealed with the key. */
export function unseal(key: Buffer, payload: string): Note | null {
  const bytes = Buffer.from(payload, 'base64');
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const plain = Buffer.concat([
      decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)),
      decipher.final(),
    ]).toString();
    const end = plain.indexOf('\n');
    return { id: plain.slice(0, end), text: plain.slice(end + 1) };
  } catch {
    return null;
  }
}
