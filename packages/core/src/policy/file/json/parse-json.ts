/** Parses the JSON of a policy file after checking how deep it nests and how many values it holds. */
import { isUtf8 } from 'node:buffer';
import { isBlockworkError } from '../../../errors.js';
import { fileInvalid, fileTooLarge } from '../limits/file-errors.js';
import type { PolicyFileLimits } from '../limits/limits.js';
import { prototypeMemberIn, prototypeReason } from './prototype-member.js';

export type JsonLimits = Pick<PolicyFileLimits, 'nesting' | 'values'>;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** @param label names the text in errors. @throws POLICY_FILE_INVALID, POLICY_FILE_TOO_LARGE. */
export function parseJson(bytes: Uint8Array, label: string, limits: JsonLimits): unknown {
  checkStructure(bytes, label, limits);
  const text = textOf(bytes, label);
  const value = parsed(text, label);
  const pointer = prototypeMemberIn(text, value);
  if (pointer !== undefined) throw fileInvalid(prototypeReason(`${label}: the value at ${pointer}`), pointer);
  return value;
}

function parsed(text: string, label: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw fileInvalid(
      `${label} is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`,
      undefined,
      cause,
    );
  }
}

/** Without a byte order mark. @throws POLICY_FILE_INVALID. */
export function textOf(bytes: Uint8Array, label: string): string {
  if (!isUtf8(bytes)) throw fileInvalid(`${label} is not UTF-8 text`);
  const start = BYTE_ORDER_MARK.every((byte, at) => bytes[at] === byte) ? BYTE_ORDER_MARK.length : 0;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8', start);
}

/** For optional parts of a policy: returns the reason instead of throwing. */
export function tryParseJson(
  bytes: Uint8Array,
  label: string,
  limits: JsonLimits,
): { value: unknown; reason?: string } {
  try {
    return { value: parseJson(bytes, label, limits) };
  } catch (error) {
    if (!isBlockworkError(error)) throw error;
    return { value: undefined, reason: `${String(error.facts['reason'])}.` };
  }
}

/** Runs on undecoded bytes: ASCII bytes are never part of a multi-byte UTF-8 character. */
function checkStructure(bytes: Uint8Array, label: string, { nesting, values }: JsonLimits): void {
  let depth = 0;
  // Each value but the first follows a comma or opens a list or an object; empty ones count double.
  let count = 1;
  let inString = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (inString) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > nesting) throw fileTooLarge(`${label} nests deeper than the limit of ${nesting} (at byte ${at})`);
      count++;
    } else if (byte === 0x7d || byte === 0x5d) depth--;
    else if (byte === COMMA) count++;
    if (count > values) throw fileTooLarge(`${label} holds more than the limit of ${values} values`);
  }
}
