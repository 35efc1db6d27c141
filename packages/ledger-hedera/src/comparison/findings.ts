/** What a comparison collects. */
import type { LedgerComparison, LedgerDifference } from '@blockwork/core/adapter';

export class Findings {
  readonly #differences: LedgerDifference[] = [];
  readonly #notes: string[] = [];
  readonly #compared = { tokens: 0, balances: 0, serials: 0, topics: 0, messages: 0 };

  count(what: keyof LedgerComparison['compared']): void {
    this.#compared[what] += 1;
  }

  differ(difference: LedgerDifference): void {
    this.#differences.push(difference);
  }

  note(sentence: string): void {
    this.#notes.push(sentence);
  }

  /** Takes over what was collected apart. */
  add({ collected }: Findings): void {
    this.#differences.push(...collected.differences);
    this.#notes.push(...collected.notes);
    for (const [what, count] of Object.entries(collected.compared) as [keyof LedgerComparison['compared'], number][])
      this.#compared[what] += count;
  }

  get collected(): Pick<LedgerComparison, 'compared' | 'differences' | 'notes'> {
    return { compared: this.#compared, differences: this.#differences, notes: this.#notes };
  }

  of(policyId: string, at: string): LedgerComparison {
    return { policyId, at, ...this.collected };
  }
}
