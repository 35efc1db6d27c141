/** What became of each row: a line of JSON in a file, written as soon as it is known. */
import { appendFile, readFile } from 'node:fs/promises';

export interface RowOutcome {
  readonly row: number;
  /** The idempotency key that it was sent with. */
  readonly key: string;
  readonly outcome: 'sent' | 'refused';
  readonly error?: string;
  readonly message?: string;
}

export class SendReport {
  readonly #keys = new Set<string>();
  /** Rows that this command sent, and that were refused to it. */
  sent = 0;
  refused = 0;

  private constructor(
    readonly file: string,
    lines: readonly string[],
  ) {
    for (const line of lines) this.#note(line);
  }

  /** Goes on with the report of an earlier command. */
  static async open(file: string): Promise<SendReport> {
    const text = await readFile(file, 'utf8').catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
      throw error;
    });
    // What comes next does not belong to a line that broke off.
    if (text !== '' && !text.endsWith('\n')) await appendFile(file, '\n');
    return new SendReport(file, text.split('\n'));
  }

  /** Whether the row was sent. */
  has(key: string): boolean {
    return this.#keys.has(key);
  }

  async add(outcome: RowOutcome): Promise<void> {
    await appendFile(this.file, `${JSON.stringify(outcome)}\n`);
    this[outcome.outcome] += 1;
    if (outcome.outcome === 'sent') this.#keys.add(outcome.key);
  }

  /** A line that broke off says nothing: its row is sent again, under the same key. */
  #note(line: string): void {
    try {
      const { key, outcome } = JSON.parse(line) as Partial<RowOutcome>;
      if (typeof key === 'string' && outcome === 'sent') this.#keys.add(key);
    } catch {
      // Not a whole line.
    }
  }
}
