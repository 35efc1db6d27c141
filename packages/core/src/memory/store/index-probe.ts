/** The comparisons of a condition that an index can answer. */
import type { Condition, Json } from '../../records/index.js';
import type { IndexKey } from './equality-index.js';

/** Every record that meets the condition holds one of `keys` at `path`. */
export interface Pivot {
  readonly path: string;
  readonly keys: readonly IndexKey[];
}

/** Those that must hold in any case: the condition itself, or parts of an `all` at its top. */
export function pivotsOf(condition: Condition, paths: ReadonlySet<string>): Pivot[] {
  if ('all' in condition) return condition.all.flatMap((part) => pivotsOf(part, paths));
  if (!('path' in condition) || !paths.has(condition.path)) return [];
  const values = condition.op === 'eq' ? [condition.value] : condition.op === 'in' ? condition.value : undefined;
  return values?.every(isKey) ? [{ path: condition.path, keys: [...new Set(values)] }] : [];
}

const isKey = (value: Json): value is IndexKey => typeof value !== 'object' || value === null;
