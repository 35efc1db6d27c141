/**
 * Letters that fit into a notification. Every user of a database may notify and listen, so they are sealed: encrypted, and signed, with a key
 * that the recipient has put into a letter of its own, which only those can read who may read the tables.
 */
import { createCipheriv, createDecipheriv, generateKeySync } from 'node:crypto';

export interface Note {
  readonly id: string;
  readonly text: string;
}

/** A payload has less than 8000 bytes, of which base64 makes 6000. */
const BYTES_AT_MOST = 5_900;
const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
/** Of a key as base64. */
export const KEY_CHARACTERS = 44;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export const newKey = (): Buffer => generateKeySync('aes', { length: KEY_BYTES * 8 }).export();

/** `null` for a key of another size, or what is no base64. */
export function keyIn(text: string): Buffer | null {
  const key = Buffer.from(text, 'base64');
  return key.length === KEY_BYTES ? key : null;
}

/** `null` for what does not fit. The id is without line breaks. `uuid`: a random one, for this note alone. */
export function seal(key: Buffer, { id, text }: Note, uuid: string): string | null {
  if (id.length + text.length > BYTES_AT_MOST) return null;
  const plain = Buffer.from(`${id}\n${text}`);
  if (plain.length > BYTES_AT_MOST) return null;
  const nonce = Buffer.from(uuid.replaceAll('-', ''), 'hex').subarray(0, NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce);
  const sealed = [nonce, cipher.update(plain), cipher.final()];
  return Buffer.concat([...sealed, cipher.getAuthTag()]).toString('base64');
}

/** `null` for what was not sealed with the key. */
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
