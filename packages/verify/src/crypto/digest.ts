/** SHA-256, from the Web Cryptography API that browsers and Node.js share. */
import { canonical, type Json } from '../json.js';

export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}

export const sha256OfText = (text: string): Promise<Uint8Array<ArrayBuffer>> => sha256(new TextEncoder().encode(text));

/** Of the canonical JSON, in hexadecimal digits. */
export async function digestOf(value: Json): Promise<string> {
  const bytes = await sha256OfText(canonical(value));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
