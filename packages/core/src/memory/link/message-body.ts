/** The text of a message body: JSON, limited in size and nesting on both ways. */
import { BlockworkError } from '../../errors.js';
import { NESTING_AT_MOST, nestsTooDeep, type Json } from '../../records/index.js';

/** Bytes of a message on a link, by default: as much as brokers usually take. */
export const MESSAGE_BYTES = 1024 * 1024;

/** Throws `MESSAGE_TOO_LARGE`. */
export function encodeBody(body: Json, bytesAtMost: number): string {
  // First: code that walks through such a value would overflow its stack.
  if (nestsTooDeep(body)) throw tooLarge(`it may nest ${String(NESTING_AT_MOST)} levels deep`);
  const text = JSON.stringify(body);
  const bytes = Buffer.byteLength(text);
  if (bytes <= bytesAtMost) return text;
  throw tooLarge(`it has ${String(bytes)} bytes, and the link takes ${String(bytesAtMost)}`);
}

export type DecodedBody = { readonly body: Json } | { readonly unreadable: string };

/** Brokers carry untrusted input: size and nesting are checked before parsing. */
export function decodeBody(bytes: Uint8Array, bytesAtMost: number): DecodedBody {
  if (bytes.length > bytesAtMost) return { unreadable: `it has more than ${String(bytesAtMost)} bytes` };
  if (exceedsNesting(bytes)) return { unreadable: `it nests deeper than ${String(NESTING_AT_MOST)} levels` };
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { body: JSON.parse(text) as Json };
  } catch (error) {
    return { unreadable: `it is not JSON: ${error instanceof Error ? error.message : String(error)}`.slice(0, 500) };
  }
}

const [quote, backslash] = ['"'.charCodeAt(0), '\\'.charCodeAt(0)];
const opening = new Set(Array.from('[{', (character) => character.charCodeAt(0)));
const closing = new Set(Array.from(']}', (character) => character.charCodeAt(0)));

/** Counts brackets outside of strings, without parsing. */
function exceedsNesting(bytes: Uint8Array): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === quote) isInString = !isInString;
    else if (isInString && byte === backslash) at += 1;
    else if (isInString) continue;
    else if (opening.has(byte)) depth += 1;
    else if (closing.has(byte)) depth -= 1;
    if (depth > NESTING_AT_MOST) return true;
  }
  return false;
}

const tooLarge = (reason: string): BlockworkError => new BlockworkError('MESSAGE_TOO_LARGE', { facts: { reason } });
