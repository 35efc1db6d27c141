/** Names of archive entries: decoded, and refused where they are written to leave a folder or to be read in two ways. */
import { isUtf8 } from 'node:buffer';
import { fileInvalid } from '../file/refusal.js';
import { quote } from '../model/quote.js';

/** Old archives name entries in a code page of their own without saying which; their names that matter are ASCII. */
export function entryName(bytes: Uint8Array, saysUtf8: boolean): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!isUtf8(buffer) && saysUtf8)
    throw fileInvalid(`the name of an entry is not UTF-8: ${quote(buffer.toString('latin1'))}`);
  const name = buffer.toString(isUtf8(buffer) ? 'utf8' : 'latin1');
  const reason = problem(name);
  if (reason !== '') throw fileInvalid(`the entry ${quote(name)} ${reason}`);
  return name;
}

function problem(name: string): string {
  if (name === '') return 'has no name';
  if (name.includes('\0')) return 'has a NUL character in its name';
  if (name.includes('\\')) return 'has a backslash in its name; archives separate folders by "/"';
  if (name.startsWith('/')) return 'has an absolute name';
  if (/^[a-z]:/i.test(name)) return 'names a drive';
  if (name.split('/').includes('..')) return 'has a name that leads out of the archive ("..")';
  return '';
}
