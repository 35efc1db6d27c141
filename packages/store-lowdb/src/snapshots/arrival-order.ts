/** Tracks the insertion order of records across the several tables of their kind. */

export class ArrivalOrder {
  readonly #places = new Map<string, number>();
  #next = 1;

  /** A record that is overwritten keeps its place. */
  add(id: string): void {
    if (!this.#places.has(id)) this.#places.set(id, this.#next++);
  }

  remove(id: string): void {
    this.#places.delete(id);
  }

  /** Sets the place that a file records. */
  restore(id: string, place: number): void {
    this.#places.set(id, place);
    this.#next = Math.max(this.#next, place + 1);
  }

  /** 0 for a record that was deleted meanwhile: the journal deletes it again. */
  placeOf(id: string): number {
    return this.#places.get(id) ?? 0;
  }
}
