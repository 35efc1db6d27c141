/** `FileLedger`: a ledger outside of the engine, as a file to which each effect is a line; where yours would call a network. */
import type { LedgerEffect } from '@blockwork/core';
import type { Ledger } from '@blockwork/core/adapter';
import { open, type FileHandle } from 'node:fs/promises';

export interface FileLedgerOptions {
  readonly path: string;
  /** Units that one mint may make at most. */
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
    // An effect that was cut off in the middle is carried out again.
    await file.truncate(Buffer.byteLength(whole));
    const lines = whole.split('\n').filter((line) => line !== '');
    return new FileLedger(file, mostUnits, new Set(lines.map((line) => (JSON.parse(line) as LedgerEffect).id)));
  }

  /** Inside the unit of work, before anything is booked: what it throws refuses the send. It changes nothing. */
  check({ type, units = '0' }: LedgerEffect): Promise<void> {
    if (type !== 'mint' || BigInt(units) <= this.#mostUnits) return Promise.resolve();
    return Promise.reject(new Error(`one mint makes ${String(this.#mostUnits)} units at most, not ${units}`));
  }

  /** After the commit, until it has succeeded; again after a lost answer, so an id that is known has been carried out. */
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
