/** Ids for transactions: no two alike, even across processes, since readers join chunks by their moment alone. */
import type { Clock, Ids } from '@blockwork/core';
import type { TransactionId } from '../wire/ids.js';

/** A node's clock may be a little behind, and refuses what starts in its future. */
const BACK_SECONDS = 8;
const NANOS = 1_000_000_000;

export class TransactionIds {
  #seconds = 0;
  #nanos = 0;

  constructor(
    private readonly payer: string,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /** Each second begins at a random place, which tells processes apart, and counts from there. */
  next(): TransactionId {
    const seconds = Math.floor(this.clock.now() / 1000) - BACK_SECONDS;
    // The last 48 bits of a UUID are random.
    const place =
      seconds === this.#seconds ? this.#nanos : Number.parseInt(this.ids.uuid().slice(-12), 16) % (NANOS - 1);
    // From 1: readers want no whole seconds.
    const nanos = (place % (NANOS - 1)) + 1;
    this.#seconds = seconds;
    this.#nanos = nanos;
    return { payer: this.payer, seconds, nanos };
  }
}
