/** Canonical keys of conditions: equal keys mean equal conditions. */
import type { Condition } from './condition.js';
import type { Json } from './json.js';

/** Recomputed each time, because callers may mutate conditions. */
export function conditionKey(condition: Condition): string {
  if ('all' in condition) return `&(${condition.all.map(conditionKey).join()})`;
  if ('any' in condition) return `|(${condition.any.map(conditionKey).join()})`;
  if ('not' in condition) return `!(${conditionKey(condition.not)})`;
  return `${condition.op}(${textKey(condition.path)},${valueKey(condition.value)})`;
}

/** A length prefix delimits texts more cheaply than quoting. */
const textKey = (text: string): string => `${text.length}:${text}`;

function valueKey(value: Json | readonly Json[]): string {
  if (typeof value === 'string') return textKey(value);
  // JSON.stringify would turn NaN and infinities into `null`.
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(valueKey).join()}]`;
  return `{${Object.entries(value)
    .map(([key, member]) => `${textKey(key)},${valueKey(member)}`)
    .join()}}`;
}
