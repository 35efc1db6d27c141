/** Formats JSON values for messages: short and without control characters. */

const LONGEST = 120;

export function quote(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  return JSON.stringify(typeof value === 'string' && value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value);
}
