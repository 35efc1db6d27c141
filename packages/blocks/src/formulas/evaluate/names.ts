/** The names that are visible at a place of a formula. */
import type { JsonObject } from '@blockwork/core/block';
import { fromJson, type Value, type Work } from '../values/index.js';

/** Parameters and definitions first, then those of the surrounding scopes, then the fields of the formula's scope. */
export class Names {
  private readonly known: Map<string, Value>;

  constructor(
    private readonly outer: Names | JsonObject,
    known: ReadonlyMap<string, Value> = new Map(),
  ) {
    this.known = new Map(known);
  }

  define(name: string, value: Value): void {
    this.known.set(name, value);
  }

  /** Fields are converted when they are first used. */
  find(name: string, work: Work): Value | undefined {
    const known = this.known.get(name);
    if (known !== undefined) return known;
    if (this.outer instanceof Names) return this.outer.find(name, work);
    const json = Object.hasOwn(this.outer, name) ? this.outer[name] : undefined;
    if (json === undefined) return undefined;
    const value = fromJson(json, work);
    this.known.set(name, value);
    return value;
  }
}
