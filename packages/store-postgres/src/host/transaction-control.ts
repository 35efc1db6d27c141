/** Statements that a client in a transaction of the engine must not send, by their first words. */

/** The statement in capitals if it begins or ends a transaction; `null` for all others, also for those about savepoints. */
export function endOfTransaction(text: string): string | null {
  const statement = text.slice(skipped(text));
  const [, first = '', second = ''] = /^(\w+)\s*(\w*)/.exec(statement) ?? [];
  const words = `${first} ${second}`.trim().toUpperCase();
  if (/^ROLLBACK(\s+(WORK|TRANSACTION))?\s+TO\s/i.test(statement)) return null;
  if (words === 'PREPARE TRANSACTION') return words;
  const word = first.toUpperCase();
  return endings.has(word) ? word : null;
}

/** Whether the statement copies data through the connection, which then waits for what no statement can send. */
export function copiesThroughClient(text: string): boolean {
  const statement = text.slice(skipped(text));
  return /^copy\b/i.test(statement) && /\b(?:stdin|stdout)\b/i.test(statement);
}

const endings = new Set(['BEGIN', 'START', 'COMMIT', 'END', 'ROLLBACK', 'ABORT']);

/** The length of what precedes the first word: space, semicolons and comments, which may contain comments. */
function skipped(text: string): number {
  let at = 0;
  for (;;) {
    const before = at;
    at += /^[\s;]*(?:--[^\n]*)?/.exec(text.slice(at))?.[0].length ?? 0;
    if (text.startsWith('/*', at)) at = endOfComment(text, at);
    if (at === before) return at;
  }
}

function endOfComment(text: string, from: number): number {
  let depth = 0;
  let at = from;
  do {
    const [mark] = /\/\*|\*\//.exec(text.slice(at)) ?? [];
    if (mark === undefined) return text.length;
    at = text.indexOf(mark, at) + mark.length;
    depth += mark === '/*' ? 1 : -1;
  } while (depth > 0);
  return at;
}
