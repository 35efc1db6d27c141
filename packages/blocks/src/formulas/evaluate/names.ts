/** The names that are visible at a place of a formula. */
import type { JsonObject } from '@blockwork/core/block';
import { fromJson, type Value, type Work } from '../values/index.js';

/** Parameters and definitions first, then those of the surrounding scopes, then the fields of the formula's scope. */
export class Names {
  private readonly variables: Map<string, Value>;

  constructor(
    private readonly outer: Names | JsonObject,
    variables: ReadonlyMap<string, Value> = new Map(),
  ) {
    this.variables = new Map(variables);
  }

  define(name: string, value: Value): void {
    this.variables.set(name, value);
  }

  /** Fields are converted when they are first used. */
  find(name: string, work: Work): Value | undefined {
    const variable = this.variables.get(name);
    if (variable !== undefined) return variable;
    if (this.outer instanceof Names) return this.outer.find(name, work);
    const json = Object.hasOwn(this.outer, name) ? this.outer[name] : undefined;
    if (json === undefined) return undefined;
    const value = fromJson(json, work);
    this.variables.set(name, value);
    return value;
  }
}
