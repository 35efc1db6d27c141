/** Index probes: the comparisons of a condition that an equality index can answer. */
import type { Condition, Json } from '../../records/index.js';
import type { IndexKey } from './equality-index.js';

/** Every record that meets the condition has one of `keys` at `path`. */
export interface IndexProbe {
  readonly path: string;
  readonly keys: readonly IndexKey[];
}

/** Probes that must hold: from the condition itself or from the parts of a top-level `all`. */
export function indexProbes(condition: Condition, paths: ReadonlySet<string>): IndexProbe[] {
  if ('all' in condition) return condition.all.flatMap((part) => indexProbes(part, paths));
  if (!('path' in condition) || !paths.has(condition.path)) return [];
  const values = condition.op === 'eq' ? [condition.value] : condition.op === 'in' ? condition.value : undefined;
  return values?.every(isKey) ? [{ path: condition.path, keys: [...new Set(values)] }] : [];
}

const isKey = (value: Json): value is IndexKey => typeof value !== 'object' || value === null;
