/**
 * Encodes ids, partitions and revision keys as PostgreSQL text: any JavaScript string, short enough for an index,
 * injective.
 */
import { createHash } from 'node:crypto';

/** Longest name that is stored as it is. Three of them fit into one index entry, which holds 2,700 bytes. */
const LONGEST = 200;
/** Readable prefix of a longer name. */
const PREFIX = 80;

/** The escape itself; control characters, which PostgreSQL refuses (NUL) or which separate values in parameters; lone surrogates. */
const unsafe = /[\\\p{Control}\p{Surrogate}]/gu;

/** Replaces what PostgreSQL cannot store by `\` and four hex digits. Never empty, and free of control characters. */
function escapeText(text: string): string {
  if (text === '') return '\\e';
  return text.replace(unsafe, (unit) => `\\${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The escaped text; if longer than `longest`, a prefix plus the SHA-256 of the whole. */
export function shortText(text: string, longest: number): string {
  const escaped = escapeText(text);
  if (escaped.length <= longest) return escaped;
  const digest = createHash('sha256').update(text, 'utf16le').digest('base64url');
  return `${escaped.slice(0, PREFIX).replace(/[\ud800-\udbff]$/, '')}\\h${digest}`;
}

export const nameOf = (text: string): string => shortText(text, LONGEST);

/** The escaped text of a name that `nameOf` shortens, so that tools can list it; `null` for all others. */
export function fullName(text: string): string | null {
  const escaped = escapeText(text);
  return escaped.length <= LONGEST ? null : escaped;
}

/** Decodes a name; a shortened one cannot be decoded. */
export function textOf(escaped: string): string {
  if (escaped === '\\e') return '';
  return escaped.replace(/\\([0-9a-f]{4})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}
