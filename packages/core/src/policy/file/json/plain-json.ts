/** JSON as people write it, with comments and trailing commas, as plain JSON. */
import { jsonTokens } from './json-tokens.js';

/** Each comment and trailing comma becomes spaces, so that everything else stays where it is. */
export function plainJson(text: string): string {
  const extras: (readonly [start: number, end: number])[] = [];
  let before = '';
  /** How many extras there were before the last comma, and where it is. */
  let comma: { readonly extra: number; readonly at: number } | undefined;
  for (const { kind, start, end } of jsonTokens(text)) {
    if (kind === 'comment') {
      extras.push([start, end]);
      continue;
    }
    const first = text.charAt(start);
    if (comma !== undefined && (first === '}' || first === ']')) {
      extras.splice(comma.extra, 0, [comma.at, comma.at + 1]);
    }
    comma = first === ',' && !opens.has(before) ? { extra: extras.length, at: start } : undefined;
    before = first;
  }
  return blanked(text, extras);
}

/** What a comma must not follow. */
const opens: ReadonlySet<string> = new Set(['', '{', '[', ',', ':']);

function blanked(text: string, extras: readonly (readonly [start: number, end: number])[]): string {
  const parts: string[] = [];
  let copied = 0;
  for (const [start, end] of extras) {
    parts.push(text.slice(copied, start), text.slice(start, end).replace(/[^\r\n]/g, ' '));
    copied = end;
  }
  parts.push(text.slice(copied));
  return parts.join('');
}
