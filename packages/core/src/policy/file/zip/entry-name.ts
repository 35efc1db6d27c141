/** Decodes archive entry names and rejects ambiguous ones and those that escape the archive. */
import { isUtf8 } from 'node:buffer';
import { fileInvalid } from '../limits/file-errors.js';
import { quote } from '../../model/quote.js';

/** Old archives use an undeclared code page; the names that matter are ASCII. */
export function entryName(bytes: Uint8Array, flaggedUtf8: boolean): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!isUtf8(buffer) && flaggedUtf8)
    throw fileInvalid(`the name of an entry is not UTF-8: ${quote(buffer.toString('latin1'))}`);
  const written = buffer.toString(isUtf8(buffer) ? 'utf8' : 'latin1');
  // Some programs for Windows separate folders by backslashes, against the specification (section 4.4.17).
  const name = written.replaceAll('\\', '/');
  const reason = problem(name);
  if (reason !== '') throw fileInvalid(`the entry ${quote(written)} ${reason}`);
  return name;
}

function problem(name: string): string {
  if (name === '') return 'has no name';
  if (name.includes('\0')) return 'has a NUL character in its name';
  if (name.startsWith('/')) return 'has an absolute name';
  if (/^[a-z]:/i.test(name)) return 'names a drive';
  if (name.split('/').includes('..')) return 'has a name that leads out of the archive ("..")';
  return '';
}
