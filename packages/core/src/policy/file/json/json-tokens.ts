/** The tokens of JSON text, and of JSON as people write it, with comments. */

export interface JsonToken {
  /** `value`: a number, `true`, `false`, `null`, or what is no JSON. */
  readonly kind: 'string' | 'value' | 'sign' | 'comment';
  readonly start: number;
  /** Behind its last character. */
  readonly end: number;
}

/** Takes time linear in the text, whatever it holds. What is left open ends with the text. */
export function* jsonTokens(text: string): Generator<JsonToken, void> {
  let at = 0;
  while (at < text.length) {
    const start = at;
    const first = text[start] ?? '';
    if (spaces.has(first)) at++;
    else if (signs.has(first)) yield { kind: 'sign', start, end: ++at };
    else if (first === '"') yield { kind: 'string', start, end: (at = endOfString(text, start)) };
    else if (text.startsWith('//', start)) yield { kind: 'comment', start, end: (at = endOfLine(text, start)) };
    else if (text.startsWith('/*', start)) yield { kind: 'comment', start, end: (at = behind(text, '*/', start + 2)) };
    else yield { kind: 'value', start, end: (at = endOfValue(text, start)) };
  }
}

const spaces: ReadonlySet<string> = new Set([' ', '\t', '\n', '\r']);
const signs: ReadonlySet<string> = new Set(['{', '}', '[', ']', ':', ',']);

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}

function endOfLine(text: string, start: number): number {
  let at = start;
  while (at < text.length && text[at] !== '\n' && text[at] !== '\r') at++;
  return at;
}

function behind(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at === -1 ? text.length : at + mark.length;
}

function endOfValue(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && !endsValue(text[at] ?? '')) at++;
  return at;
}

const endsValue = (sign: string): boolean => spaces.has(sign) || signs.has(sign) || sign === '"' || sign === '/';
