/** Ids for transactions: no two alike, even across processes, since readers join chunks by their moment alone. */
import type { Clock, Ids } from '@blockwork/core';
import type { TransactionId } from '../wire/ids.js';

/** A node's clock may be a little behind, and refuses what starts in its future. */
const BACK_SECONDS = 8;
const NANOS = 1_000_000_000;

export class TransactionIds {
  #last = '';

  constructor(
    private readonly payer: string,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  next(): TransactionId {
    for (;;) {
      const seconds = Math.floor(this.clock.now() / 1000) - BACK_SECONDS;
      // The last 48 bits of a UUID are random; readers want no whole seconds.
      const nanos = 1 + (Number.parseInt(this.ids.uuid().slice(-12), 16) % (NANOS - 1));
      const moment = `${String(seconds)}.${String(nanos)}`;
      if (moment === this.#last) continue;
      this.#last = moment;
      return { payer: this.payer, seconds, nanos };
    }
  }
}
