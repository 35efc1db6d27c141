/** `FileLedger`: an external ledger in a file with one line per effect; yours would call a network instead. */
import type { LedgerEffect } from '@blockwork/core';
import type { Ledger } from '@blockwork/core/adapter';
import { open, type FileHandle } from 'node:fs/promises';

export interface FileLedgerOptions {
  readonly path: string;
  /** Maximum units per mint. */
  readonly mostUnits: bigint;
}

export class FileLedger implements Ledger {
  readonly #file: FileHandle;
  readonly #mostUnits: bigint;
  readonly #settled: Set<string>;

  private constructor(file: FileHandle, mostUnits: bigint, settled: Set<string>) {
    this.#file = file;
    this.#mostUnits = mostUnits;
    this.#settled = settled;
  }

  static async open({ path, mostUnits }: FileLedgerOptions): Promise<FileLedger> {
    const file = await open(path, 'a+');
    const text = await file.readFile('utf8');
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    // An effect that was interrupted is carried out again.
    await file.truncate(Buffer.byteLength(whole));
    const lines = whole.split('\n').filter((line) => line !== '');
    return new FileLedger(file, mostUnits, new Set(lines.map((line) => (JSON.parse(line) as LedgerEffect).id)));
  }

  /** Runs inside the unit of work, before anything is booked. An exception refuses the send; it has no side effects. */
  check({ type, units = '0' }: LedgerEffect): Promise<void> {
    if (type !== 'mint' || BigInt(units) <= this.#mostUnits) return Promise.resolve();
    return Promise.reject(new Error(`one mint makes ${String(this.#mostUnits)} units at most, not ${units}`));
  }

  /** Runs after the commit and is retried until it succeeds, so a known id is an effect already carried out. */
  async settle(effect: LedgerEffect): Promise<void> {
    if (this.#settled.has(effect.id)) return;
    await this.#file.appendFile(`${JSON.stringify(effect)}\n`);
    await this.#file.datasync();
    this.#settled.add(effect.id);
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}
