/** Texts that were made up within a unit of work, such as the ids of new credentials: no stored record contains one. */
import type { Condition } from '../records/index.js';

export class FreshTexts {
  readonly #texts = new Set<string>();

  add(text: string): void {
    this.#texts.add(text);
  }

  has(text: string): boolean {
    return this.#texts.has(text);
  }

  /** Whether no stored record can have this id: it is such a text, or ends with one after a slash. */
  isIn(id: string): boolean {
    return this.#texts.size > 0 && (this.has(id) || this.has(id.slice(id.lastIndexOf('/') + 1)));
  }

  /** Whether no stored record can meet the condition, which demands such a text. */
  isDemandedBy(where: Condition): boolean {
    if (this.#texts.size === 0) return false;
    if ('all' in where) return where.all.some((part) => this.isDemandedBy(part));
    return 'op' in where && where.op === 'eq' && typeof where.value === 'string' && this.has(where.value);
  }
}
