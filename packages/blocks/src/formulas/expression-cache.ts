/** What was worked out for expressions, the least recently used forgotten first. */
const ENTRIES_AT_MOST = 1_000;
const CHARACTERS_AT_MOST = 300_000;

export class ExpressionCache<T> {
  // A map keeps the order of insertion, so its first key is the one not used for longest.
  private readonly kept = new Map<string, T>();
  private characters = 0;

  get(expression: string, workOut: (expression: string) => T): T {
    const known = this.kept.get(expression);
    const value = known ?? workOut(expression);
    if (known === undefined) this.characters += expression.length;
    else this.kept.delete(expression);
    this.kept.set(expression, value);
    for (const oldest of this.kept.keys()) {
      if (this.kept.size <= ENTRIES_AT_MOST && this.characters <= CHARACTERS_AT_MOST) break;
      this.kept.delete(oldest);
      this.characters -= oldest.length;
    }
    return value;
  }
}
