/** The failure of a script, with its place in the author's source. */
export class ScriptError extends Error {
  override readonly name = 'ScriptError';
  /** The message without the place. */
  readonly reason: string;
  /** From 1; `null` if the place is unknown. */
  readonly line: number | null;
  readonly column: number | null;

  constructor(reason: string, line: number | null = null, column: number | null = null) {
    const place = line === null ? '' : ` (line ${String(line)}${column === null ? '' : `, column ${String(column)}`})`;
    super(reason + place);
    this.reason = reason;
    this.line = line;
    this.column = column;
  }
}
