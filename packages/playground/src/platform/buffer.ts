/** `node:buffer` for a page: the `Buffer` of the package `buffer`, with base64url, which it lacks. */
import { Buffer as Plain } from 'buffer/index.js';

type Read = (...args: unknown[]) => Plain;
type Write = (this: Plain, encoding: string, start: number, end: number) => string;

const { prototype } = Plain;
const read = Plain.from.bind(Plain) as Read;
const { toString: write } = prototype as { readonly toString: Write };
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

// The package reads the characters of both alphabets as base64.
const readable = (encoding: unknown): unknown => (encoding === 'base64url' ? 'base64' : encoding);

Plain.from = ((...[value, encoding, length]: unknown[]) =>
  read(value, readable(encoding), length)) as typeof Plain.from;

prototype.toString = function toString(this: Plain, encoding = 'utf8', start = 0, end = this.length): string {
  // The package replaces what is no UTF-8 by another number of marks than Node.js and browsers do.
  if (encoding === 'utf8') return decoder.decode(this.subarray(start, end));
  if (encoding !== 'base64url') return write.call(this, encoding, start, end);
  const text = write.call(this, 'base64', start, end);
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
};

export const Buffer = Plain;

export function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
