/** Encodes values as bytes in the order of `compareValues`: rank first, then the value, texts by UTF-16 code units. */

/** Longest text, in code units; a longer one has no key, and its record is sorted in JavaScript. */
const LONGEST = 200;

const NOTHING = '00';
const FALSE = '10';
const TRUE = '11';
const NUMBER = '20';
const AFTER_NUMBERS = '21';
const TEXT = '30';
const AFTER_TEXTS = '31';
const STRUCTURE = '40';

/** Hex, or `null` for a text that is too long. */
export function sortKey(value: unknown): string | null {
  switch (typeof value) {
    case 'boolean':
      return value ? TRUE : FALSE;
    case 'number':
      return Number.isFinite(value) ? NUMBER + numberBytes(value) : NOTHING;
    case 'string':
      return withText(TEXT, value);
    case 'object':
      return value === null ? NOTHING : withText(STRUCTURE, JSON.stringify(value));
    default:
      return NOTHING;
  }
}

/** Keys of the rank of `value` lie in the half-open range [`from`, `to`); `null` if the value is not comparable. */
export function rankRange(value: unknown): { readonly from: string; readonly to: string } | null {
  if (typeof value === 'number') return { from: NUMBER, to: AFTER_NUMBERS };
  return typeof value === 'string' ? { from: TEXT, to: AFTER_TEXTS } : null;
}

function withText(rank: string, text: string): string | null {
  return text.length > LONGEST ? null : rank + Buffer.from(text, 'utf16le').swap16().toString('hex');
}

/** The bits of a double, transformed to sort like the numbers. */
function numberBytes(value: number): string {
  const bytes = Buffer.alloc(8);
  // Adding zero turns a negative zero into zero.
  bytes.writeDoubleBE(value + 0);
  const isNegative = (bytes.readUInt8(0) & 0x80) !== 0;
  for (let at = 0; at < 8; at += 1) {
    const byte = bytes.readUInt8(at);
    bytes.writeUInt8(isNegative ? ~byte & 0xff : at === 0 ? byte | 0x80 : byte, at);
  }
  return bytes.toString('hex');
}
