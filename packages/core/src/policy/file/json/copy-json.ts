/** Copies a value that a program passes in as JSON and checks that it is JSON. */
import type { PolicyFileLimits } from '../limits/limits.js';
import { pointerStep } from '../../model/pointer.js';
import { fileInvalid, fileTooLarge } from '../limits/file-errors.js';
import { changesPrototype, prototypeReason } from './prototype-member.js';

/** Bytes that each value counts towards the size limit, in addition to its text. */
const WEIGHT = 16;

/**
 * Members that are `undefined` are dropped, as in `JSON.stringify`. Shared values are copied once per reference.
 * @throws POLICY_FILE_INVALID, with the JSON pointer, for functions, class instances, NaN, circular values
 * and members that would change a prototype;
 * POLICY_FILE_TOO_LARGE for values that are too deep or too large.
 */
export function copyJson(value: unknown, limits: Pick<PolicyFileLimits, 'nesting' | 'values' | 'entryBytes'>): unknown {
  const open = new Set<object>();
  let weight = 0;
  let values = 0;

  const copy = (item: unknown, pointer: () => string): unknown => {
    if (++values > limits.values) throw fileTooLarge(`it holds more than the limit of ${limits.values} values`);
    weight += WEIGHT + (typeof item === 'string' ? item.length : 0);
    if (weight > limits.entryBytes) throw fileTooLarge(`it weighs more than the limit of ${limits.entryBytes} bytes`);
    if (typeof item !== 'object' || item === null) return primitive(item, pointer);
    if (open.has(item)) throw fileInvalid(`${valueAt(pointer())} contains itself`, pointer());
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
      throw fileInvalid(`${valueAt(pointer())} is not a plain object`, pointer());
    }
    const members: [string, unknown][] = [];
    for (const [key, member] of Object.entries(item)) {
      const at = (): string => pointer() + pointerStep(key);
      if (changesPrototype(key, member)) throw fileInvalid(prototypeReason(valueAt(at())), at());
      if (member !== undefined) members.push([key, copy(member, at)]);
      weight += key.length;
    }
    return Object.fromEntries(members);
  };

  return copy(value, () => '');
}

const valueAt = (pointer: string): string => (pointer === '' ? 'the value' : `the value at ${pointer}`);

function primitive(value: unknown, pointer: () => string): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  const kind = typeof value === 'number' ? String(value) : `of the type ${typeof value}`;
  throw fileInvalid(`${valueAt(pointer())} is ${kind}, which JSON cannot hold`, pointer());
}
