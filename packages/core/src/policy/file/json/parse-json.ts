/** Parses the JSON of a policy file after checking how deep it nests. */
import { isUtf8 } from 'node:buffer';
import { isBlockworkError } from '../../../errors.js';
import { fileInvalid, fileTooLarge } from '../limits/file-errors.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** @param label names the text in errors. @throws POLICY_FILE_INVALID; POLICY_FILE_TOO_LARGE if deeper than `nesting`. */
export function parseJson(bytes: Uint8Array, label: string, nesting: number): unknown {
  checkNesting(bytes, label, nesting);
  if (!isUtf8(bytes)) throw fileInvalid(`${label} is not UTF-8 text`);
  const start = BYTE_ORDER_MARK.every((byte, at) => bytes[at] === byte) ? BYTE_ORDER_MARK.length : 0;
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8', start)) as unknown;
  } catch (cause) {
    throw fileInvalid(
      `${label} is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`,
      undefined,
      cause,
    );
  }
}

/** For optional parts of a policy: returns the reason instead of throwing. */
export function tryParseJson(bytes: Uint8Array, label: string, nesting: number): { value: unknown; reason?: string } {
  try {
    return { value: parseJson(bytes, label, nesting) };
  } catch (error) {
    if (!isBlockworkError(error)) throw error;
    return { value: undefined, reason: `${String(error.facts['reason'])}.` };
  }
}

/** Runs on undecoded bytes: ASCII bytes are never part of a multi-byte UTF-8 character. */
function checkNesting(bytes: Uint8Array, label: string, limit: number): void {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (inString) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > limit) throw fileTooLarge(`${label} nests deeper than the limit of ${limit} (at byte ${at})`);
    } else if (byte === 0x7d || byte === 0x5d) depth--;
  }
}
