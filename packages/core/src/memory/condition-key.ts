/** A text for a condition that no condition of another meaning shares. */
import type { Condition, Json } from '../records/index.js';

/** A page and its total are asked for with the same condition, one after the other. */
const known = new WeakMap<Condition, string>();

export function conditionKey(condition: Condition): string {
  let key = known.get(condition);
  if (key === undefined) known.set(condition, (key = written(condition)));
  return key;
}

function written(condition: Condition): string {
  if ('all' in condition) return `&(${condition.all.map(written).join()})`;
  if ('any' in condition) return `|(${condition.any.map(written).join()})`;
  if ('not' in condition) return `!(${written(condition.not)})`;
  return `${condition.op}(${textKey(condition.path)},${valueKey(condition.value)})`;
}

/** The length in front does what quotes would do, for less. */
const textKey = (text: string): string => `${String(text.length)}:${text}`;

function valueKey(value: Json | readonly Json[]): string {
  if (typeof value === 'string') return textKey(value);
  // JSON would write a number that is not finite as `null`.
  return typeof value === 'number' ? `n${String(value)}` : `j${JSON.stringify(value, namesNumbers)}`;
}

const namesNumbers = (_: string, value: unknown): unknown =>
  typeof value === 'number' && !Number.isFinite(value) ? { number: String(value) } : value;
