/** The source that is run: artifacts of code and the author's script as the body of one function, as in the reference. */
const OPENING = '(function (done, user, documents, mathjs, artifacts) {';

export interface SourceText {
  readonly text: string;
  /** The place in the author's source for a place in `text`; `null` for other code. */
  placeOf(line: number, column: number): { line: number; column: number } | null;
}

export function sourceText(expression: string, artifacts: readonly string[]): SourceText {
  const before = OPENING + artifacts.map((code) => `${code}\n`).join('');
  const lines = before.split('\n');
  const lastLine = lines[lines.length - 1] ?? '';
  return {
    // The line break ends a comment in the script's last line.
    text: `${before}${expression}\n})`,
    placeOf: (line, column) => {
      const own = line - lines.length + 1;
      if (own < 1) return null;
      return { line: own, column: own === 1 ? Math.max(1, column - lastLine.length) : column };
    },
  };
}
