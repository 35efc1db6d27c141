/** Values kept by a text, as long as all the texts together are not too long: then those go that were not used for longest. */

export class KeptByLength<Value> {
  readonly #values = new Map<string, Value>();
  #characters = 0;

  constructor(private readonly limit: number) {}

  get characters(): number {
    return this.#characters;
  }

  get(text: string): Value | undefined {
    const value = this.#values.get(text);
    if (value !== undefined) {
      this.#values.delete(text);
      this.#values.set(text, value);
    }
    return value;
  }

  /** A text that is too long on its own is not kept. */
  set(text: string, value: Value): void {
    if (!this.#values.has(text)) this.#characters += text.length;
    this.#values.set(text, value);
    for (const oldest of this.#values.keys()) {
      if (this.#characters <= this.limit) return;
      this.#values.delete(oldest);
      this.#characters -= oldest.length;
    }
  }
}
