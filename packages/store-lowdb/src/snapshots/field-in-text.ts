/** Extracts one value from a record's JSON, at a fraction of the cost of parsing the whole record. */

/** Returned if the text is not in the layout of `JSON.stringify`, or the path needs the parsed record. */
export const needsParsing = Symbol('needs parsing');

const code = (char: string): number => char.charCodeAt(0);
const quote = code('"');
const backslash = code('\\');
const colon = code(':');
const comma = code(',');
const openBrace = code('{');
const closeBrace = code('}');
const openBracket = code('[');
const closeBracket = code(']');
/** Up to this length, a loop is faster than a call of `indexOf`. */
const shortString = 24;

/** The value at the path, the same as core's `valueAt` of the parsed record. */
export function fieldInText(bytes: Buffer, start: number, path: string): unknown {
  let at = start;
  for (const key of keysOf(path)) {
    const next =
      bytes[at] === openBrace
        ? memberAt(bytes, at, key)
        : bytes[at] === openBracket
          ? elementAt(bytes, at, key)
          : absent;
    if (next === absent) return undefined;
    if (next === unclear) return needsParsing;
    at = next;
  }
  return JSON.parse(bytes.toString('utf8', at, endOfValue(bytes, at))) as unknown;
}

interface Key {
  readonly text: string;
  /** `undefined` if it cannot be encoded: with half of a surrogate pair. */
  readonly bytes: Buffer | undefined;
}

/** Returned in place of a position. */
const absent = -1;
const unclear = -2;

/** The offset of a member's value. */
function memberAt(bytes: Buffer, object: number, key: Key): number {
  if (key.bytes === undefined) return unclear;
  let at = object + 1;
  if (bytes[at] === closeBrace) return absent;
  for (;;) {
    if (bytes[at] !== quote) return unclear;
    const end = endOfString(bytes, at);
    if (bytes[end] !== colon) return unclear;
    const length = end - at - 2;
    if (hasEscape(bytes, at, end)) return unclear;
    if (length === key.bytes.length && isAt(bytes, at + 1, key.bytes)) return end + 1;
    at = endOfValue(bytes, end + 1);
    if (bytes[at] === closeBrace) return absent;
    if (bytes[at] !== comma) return unclear;
    at += 1;
  }
}

/** The offset of a list element. */
function elementAt(bytes: Buffer, list: number, { text }: Key): number {
  if (text === 'L') return unclear;
  if (!/^\d+$/.test(text)) return absent;
  let at = list + 1;
  if (bytes[at] === closeBracket) return absent;
  for (let left = Number(text); left > 0; left -= 1) {
    at = endOfValue(bytes, at);
    if (bytes[at] === closeBracket) return absent;
    if (bytes[at] !== comma) return unclear;
    at += 1;
  }
  return at;
}

/** The offset after a value. */
function endOfValue(bytes: Buffer, start: number): number {
  const first = bytes[start];
  if (first === quote) return endOfString(bytes, start);
  let at = start;
  if (first !== openBrace && first !== openBracket) {
    while (!endsScalar(bytes[at])) at += 1;
    return at;
  }
  let depth = 0;
  do {
    const byte = bytes[at];
    if (byte === undefined) return at;
    if (byte === quote) at = endOfString(bytes, at);
    else at += 1;
    if (byte === openBrace || byte === openBracket) depth += 1;
    else if (byte === closeBrace || byte === closeBracket) depth -= 1;
  } while (depth > 0);
  return at;
}

const endsScalar = (byte: number | undefined): boolean =>
  byte === comma || byte === closeBrace || byte === closeBracket || byte === undefined;

/** The offset after the closing quote. */
function endOfString(bytes: Buffer, start: number): number {
  let at = start + 1;
  for (const near = at + shortString; at < near; at += 1) {
    const byte = bytes[at];
    if (byte === quote) return at + 1;
    if (byte === backslash) at += 1;
  }
  for (;;) {
    const end = bytes.indexOf(quote, at);
    if (end === -1) return bytes.length;
    let escapes = 0;
    while (end - escapes > at && bytes[end - escapes - 1] === backslash) escapes += 1;
    if (escapes % 2 === 0) return end + 1;
    at = end + 1;
  }
}

function hasEscape(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (bytes[at] === backslash) return true;
  return false;
}

function isAt(bytes: Buffer, start: number, wanted: Buffer): boolean {
  for (let at = 0; at < wanted.length; at += 1) if (bytes[start + at] !== wanted[at]) return false;
  return true;
}

/** Caches the last path, because a scan of a table uses a single one. */
let last: { readonly path: string; readonly keys: readonly Key[] } = { path: '', keys: keysIn('') };

function keysOf(path: string): readonly Key[] {
  if (last.path !== path) last = { path, keys: keysIn(path) };
  return last.keys;
}

function keysIn(path: string): readonly Key[] {
  return path.split('.').map((text) => {
    const bytes = Buffer.from(text);
    return { text, bytes: bytes.toString() === text ? bytes : undefined };
  });
}
