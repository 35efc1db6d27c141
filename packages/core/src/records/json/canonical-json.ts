/** Canonical JSON (RFC 8785): one text for each value, which is hashed and signed. */
import { setMember } from './json.js';

/**
 * The text of a JSON value. It takes every text that can be stored, also one with half of a surrogate pair, which is
 * escaped: what is signed is refused for that before. Values whose objects have their members in order are written
 * several times faster, by `JSON.stringify` alone.
 */
export function canonicalJson(value: unknown): string {
  if (isInOrder(value)) return JSON.stringify(value);
  const copy = inOrder(value);
  // No object lists members such as "10" and "9" in this order: JavaScript sorts them as numbers.
  return isInOrder(copy) ? JSON.stringify(copy) : spelledOut(value);
}

/** Whether each object in it lists its members as canonical JSON does: by their UTF-16 code units. */
function isInOrder(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isInOrder);
  const object = value as Readonly<Record<string, unknown>>;
  let last = '';
  for (const name of Object.keys(object)) {
    if (name < last || !isInOrder(object[name])) return false;
    last = name;
  }
  return true;
}

/** A copy whose members are in order, as far as JavaScript keeps it. */
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(inOrder);
  const object = value as Readonly<Record<string, unknown>>;
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(object).sort()) setMember(copy, name, inOrder(object[name]));
  return copy;
}

function spelledOut(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => spelledOut(item ?? null)).join(',')}]`;
  const object = value as Readonly<Record<string, unknown>>;
  const members = Object.keys(object)
    .sort()
    .filter((name) => object[name] !== undefined)
    .map((name) => `${JSON.stringify(name)}:${spelledOut(object[name])}`);
  return `{${members.join(',')}}`;
}
