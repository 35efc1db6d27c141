/** A text for a condition that no condition of another meaning shares. */
import type { Condition, Json } from '../records/index.js';

export function conditionKey(condition: Condition): string {
  if ('all' in condition) return `&(${condition.all.map(conditionKey).join()})`;
  if ('any' in condition) return `|(${condition.any.map(conditionKey).join()})`;
  if ('not' in condition) return `!(${conditionKey(condition.not)})`;
  return `${condition.op}(${JSON.stringify(condition.path)},${valueKey(condition.value)})`;
}

/** JSON would write a number that is not finite as `null`. */
const valueKey = (value: Json | readonly Json[]): string =>
  typeof value === 'number' ? String(value) : JSON.stringify(value, namesNumbers);

const namesNumbers = (_: string, value: unknown): unknown =>
  typeof value === 'number' && !Number.isFinite(value) ? { number: String(value) } : value;
