/** Why a script gave no result, and where in its author's source. */
export class ScriptError extends Error {
  override readonly name = 'ScriptError';
  /** The message without the place. */
  readonly reason: string;
  /** Both count from 1; `null` where no place can be named. */
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
