/** Collects the values of a statement, and numbers their placeholders. */
export class Parameters {
  readonly values: unknown[];

  constructor(values: readonly unknown[]) {
    this.values = [...values];
  }

  /** Returns the placeholder. */
  add(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}
