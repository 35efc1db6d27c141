/** JSON text of a policy file to a value, with its depth known before it is parsed. */
import { isUtf8 } from 'node:buffer';
import { isBlockworkError } from '../../errors.js';
import { fileInvalid, fileTooLarge } from './refusal.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** @param what names the text in errors. @throws POLICY_FILE_INVALID, POLICY_FILE_TOO_LARGE when deeper than `nesting`. */
export function parseJson(bytes: Uint8Array, what: string, nesting: number): unknown {
  checkNesting(bytes, what, nesting);
  if (!isUtf8(bytes)) throw fileInvalid(`${what} is not UTF-8 text`);
  const start = BYTE_ORDER_MARK.every((byte, at) => bytes[at] === byte) ? BYTE_ORDER_MARK.length : 0;
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8', start)) as unknown;
  } catch (cause) {
    throw fileInvalid(
      `${what} is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`,
      undefined,
      cause,
    );
  }
}

/** For parts that a policy can do without: where `parseJson` throws, this gives the reason instead. */
export function tryParseJson(bytes: Uint8Array, what: string, nesting: number): { value: unknown; reason?: string } {
  try {
    return { value: parseJson(bytes, what, nesting) };
  } catch (error) {
    if (!isBlockworkError(error)) throw error;
    return { value: undefined, reason: `${String(error.facts['reason'])}.` };
  }
}

/** The bytes that matter here are never part of a longer UTF-8 character, so the text need not be decoded. */
function checkNesting(bytes: Uint8Array, what: string, limit: number): void {
  let depth = 0;
  let inText = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (inText) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) inText = false;
    } else if (byte === QUOTE) inText = true;
    else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > limit) throw fileTooLarge(`${what} nests deeper than the limit of ${limit} (at byte ${at})`);
    } else if (byte === 0x7d || byte === 0x5d) depth--;
  }
}
