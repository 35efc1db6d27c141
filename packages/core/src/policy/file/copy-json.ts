/** A copy of a value that a program hands in as JSON, which proves on the way that it is JSON. */
import type { PolicyFileLimits } from './limits.js';
import { pointerStep } from '../model/pointer.js';
import { fileInvalid, fileTooLarge } from './refusal.js';

/** What an object, a list or a member costs towards the size limit, in bytes, beside its text. */
const WEIGHT = 16;

/**
 * `undefined` members are left out, as `JSON.stringify` does. A value that is used in two places is copied twice.
 * @throws POLICY_FILE_INVALID, with the place, for what JSON cannot hold: functions, class instances, NaN, a value
 * that contains itself. POLICY_FILE_TOO_LARGE for too deep or, by the weight of its texts and members, too large.
 */
export function ownJson(value: unknown, limits: Pick<PolicyFileLimits, 'nesting' | 'entryBytes'>): unknown {
  const open = new Set<object>();
  let weight = 0;

  const copy = (item: unknown, pointer: () => string): unknown => {
    weight += WEIGHT + (typeof item === 'string' ? item.length : 0);
    if (weight > limits.entryBytes) throw fileTooLarge(`it weighs more than the limit of ${limits.entryBytes} bytes`);
    if (typeof item !== 'object' || item === null) return primitive(item, pointer);
    if (open.has(item)) throw fileInvalid(`the value at ${pointer()} contains itself`, pointer());
    if (open.size === limits.nesting) {
      throw fileTooLarge(`it nests deeper than the limit of ${limits.nesting}, at ${pointer()}`, pointer());
    }
    open.add(item);
    const copied = Array.isArray(item)
      ? Array.from(item, (element: unknown, index) => copy(element, () => pointer() + pointerStep(index)))
      : copyMembers(item, pointer);
    open.delete(item);
    return copied;
  };

  const copyMembers = (item: object, pointer: () => string): Record<string, unknown> => {
    const prototype: unknown = Object.getPrototypeOf(item);
    if (prototype !== Object.prototype && prototype !== null) {
      throw fileInvalid(`the value at ${pointer()} is no plain object`, pointer());
    }
    const members: [string, unknown][] = [];
    for (const [key, member] of Object.entries(item)) {
      if (member !== undefined) members.push([key, copy(member, () => pointer() + pointerStep(key))]);
      weight += key.length;
    }
    // Unlike assignment, fromEntries makes an own member of a key called "__proto__".
    return Object.fromEntries(members);
  };

  return copy(value, () => '');
}

function primitive(value: unknown, pointer: () => string): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  const kind = typeof value === 'number' ? String(value) : `of the type ${typeof value}`;
  throw fileInvalid(`the value at ${pointer()} is ${kind}, which JSON cannot hold`, pointer());
}
