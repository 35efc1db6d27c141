/** A text for a condition that no condition of another meaning shares. */
import type { Condition, Json } from '../../records/index.js';

/** Worked out anew each time: a condition belongs to its caller, who may change it after asking. */
export function conditionKey(condition: Condition): string {
  if ('all' in condition) return `&(${condition.all.map(conditionKey).join()})`;
  if ('any' in condition) return `|(${condition.any.map(conditionKey).join()})`;
  if ('not' in condition) return `!(${conditionKey(condition.not)})`;
  return `${condition.op}(${textKey(condition.path)},${valueKey(condition.value)})`;
}

/** The length in front does what quotes would do, for less. */
const textKey = (text: string): string => `${text.length}:${text}`;

function valueKey(value: Json | readonly Json[]): string {
  if (typeof value === 'string') return textKey(value);
  // JSON would write a number that is not finite as `null`.
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(valueKey).join()}]`;
  return `{${Object.entries(value)
    .map(([key, member]) => `${textKey(key)},${valueKey(member)}`)
    .join()}}`;
}
