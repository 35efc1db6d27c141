/** What a comparison collects. */
import type { LedgerComparison, LedgerDifference } from '@blockwork/core/adapter';

/** The rest is counted. */
const DIFFERENCES_AT_MOST = 1000;
const NOTES_AT_MOST = 200;

export class Findings {
  readonly #differences: LedgerDifference[] = [];
  readonly #notes: string[] = [];
  readonly #unlisted = { differences: 0, notes: 0 };
  readonly #compared = { tokens: 0, balances: 0, serials: 0, topics: 0, messages: 0 };

  count(what: keyof LedgerComparison['compared']): void {
    this.#compared[what] += 1;
  }

  differ(difference: LedgerDifference): void {
    if (this.isFull) this.#unlisted.differences += 1;
    else this.#differences.push(difference);
  }

  /** Whether a further difference is only counted. */
  get isFull(): boolean {
    return this.#differences.length >= DIFFERENCES_AT_MOST;
  }

  note(sentence: string): void {
    if (this.#notes.length < NOTES_AT_MOST) this.#notes.push(sentence);
    else this.#unlisted.notes += 1;
  }

  /** Takes over what was collected apart. */
  add(other: Findings): void {
    for (const difference of other.#differences) this.differ(difference);
    for (const sentence of other.#notes) this.note(sentence);
    this.#unlisted.differences += other.#unlisted.differences;
    this.#unlisted.notes += other.#unlisted.notes;
    for (const [what, count] of Object.entries(other.#compared) as [keyof LedgerComparison['compared'], number][])
      this.#compared[what] += count;
  }

  get collected(): Pick<LedgerComparison, 'compared' | 'differences' | 'notes'> {
    const unlisted = Object.entries(this.#unlisted)
      .filter(([, count]) => count > 0)
      .map(([what, count]) => `${String(count)} more ${what} are not listed.`);
    return { compared: this.#compared, differences: this.#differences, notes: [...this.#notes, ...unlisted] };
  }

  of(policyId: string, at: string): LedgerComparison {
    return { policyId, at, ...this.collected };
  }
}
