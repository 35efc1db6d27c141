/** JSON values, of which policies, documents, answers and records consist. */

export type JsonPrimitive = string | number | boolean | null;
export type Json = JsonPrimitive | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

/**
 * JSON of a shape that a policy decides, seen by a reader: any member may be missing. TypeScript asks for `?.` at each
 * step, and with it no step fails, whatever is there. Texts and numbers are not told apart: state or parse the shape to use
 * them as such.
 */
export interface JsonAnswer {
  readonly [member: string]: JsonAnswer | undefined;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * A deep copy of a JSON value, about five times faster than `structuredClone`. `undefined` members are left out.
 */
export function cloneJson<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => (isPrimitive(item) ? item : cloneJson(item))) as T;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[key];
    if (member !== undefined) setMember(copy, key, isPrimitive(member) ? member : cloneJson(member));
  }
  return copy as T;
}

const isPrimitive = (value: unknown): boolean => typeof value !== 'object' || value === null;

/** A member may be called `__proto__`; plain assignment would set the prototype. */
export function setMember(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

/** A shallow copy without one member. Several times faster than rest and spread for objects that were made member by member. */
export function withoutMember(value: JsonObject, name: string): JsonObject {
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) {
    if (key === name) continue;
    setMember(copy, key, value[key]);
  }
  return copy;
}

/** Freezes a JSON value deeply and returns it. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const member of Object.values(value)) deepFreeze(member);
  return value;
}

/** Deep equality, regardless of the order of members. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every(
    (key) =>
      Object.hasOwn(b, key) && sameJson((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]),
  );
}

/** Maximum nesting of untrusted values, since code that processes them recurses. */
export const NESTING_AT_MOST = 200;

/** Values that are visited one by one, before shared ones are told apart. */
const SMALL = 1_000;

/** Whether a value nests deeper than that or is cyclic. */
export function nestsTooDeep(value: unknown): boolean {
  const depth = depthOfSmall(value, { left: SMALL }, 0);
  return depth === undefined ? levelsTooDeep(value) : depth > NESTING_AT_MOST;
}

/** How deep a value nests, as far as it matters; `undefined` if there is more to visit than `left`. */
function depthOfSmall(value: unknown, visits: { left: number }, depth: number): number | undefined {
  if (typeof value !== 'object' || value === null || depth > NESTING_AT_MOST) return depth;
  let deepest = depth;
  for (const key of Object.keys(value)) {
    if ((visits.left -= 1) < 0) return undefined;
    const below = depthOfSmall((value as Record<string, unknown>)[key], visits, depth + 1);
    if (below === undefined || below > NESTING_AT_MOST) return below;
    deepest = Math.max(deepest, below);
  }
  return deepest;
}

/** Does not recurse; visits shared values once per level. */
function levelsTooDeep(value: unknown): boolean {
  let level = new Set([value]);
  for (let depth = 0; level.size > 0; depth += 1) {
    if (depth > NESTING_AT_MOST) return true;
    const below = new Set<unknown>();
    for (const each of level) {
      if (typeof each === 'object' && each !== null) for (const member of Object.values(each)) below.add(member);
    }
    level = below;
  }
  return false;
}
