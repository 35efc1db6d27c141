/** Bounded JSON: a copy of what comes from outside that is certain to be JSON, and no larger than the room can work on. */
import { isObject, NESTING_AT_MOST } from '../records/index.js';
import type { Json, JsonObject } from '../records/index.js';

/** A presentation holds credentials that hold a subject: what is signed may be deeper than what a client may post. */
export const DEPTH_AT_MOST = NESTING_AT_MOST + 10;

/** Characters of texts and names, other values counting as eight. */
export const SIZE_AT_MOST = 16 * 1024 * 1024;

export type Bounded = { readonly value: JsonObject } | { readonly reason: string };

/**
 * Copies an object; members that are `undefined` are left out, as JSON does. What has no JSON (functions, numbers that are
 * not finite, texts with half a character), nests deeper than `depth` or is larger than `SIZE_AT_MOST` is refused.
 */
export function boundedJson(value: unknown, depth = DEPTH_AT_MOST): Bounded {
  if (!isObject(value)) return { reason: 'it is not an object' };
  try {
    return { value: new Copy().of(value, depth) as JsonObject };
  } catch (error) {
    // Anything else was thrown by the value itself: a getter or a proxy, which JSON has not.
    return { reason: error instanceof NotBounded ? error.message : 'it cannot be read as JSON' };
  }
}

class NotBounded extends Error {}

class Copy {
  #left = SIZE_AT_MOST;

  of(value: unknown, depth: number): Json {
    if (typeof value === 'string') return this.#text(value);
    this.#spend(8);
    if (value === null || typeof value === 'boolean') return value;
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    if (typeof value !== 'object') throw new NotBounded('it holds a value that JSON has not');
    if (depth === 0) throw new NotBounded('it nests too deep');
    if (Array.isArray(value)) return Array.from(value, (item: unknown) => this.of(item, depth - 1));
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== null && prototype !== Object.prototype) throw new NotBounded('it holds an object of a class');
    return this.#members(value, depth - 1);
  }

  #members(object: object, depth: number): JsonObject {
    const members: [string, Json][] = [];
    for (const [name, member] of Object.entries(object) as [string, unknown][]) {
      if (member !== undefined) members.push([this.#text(name), this.of(member, depth)]);
    }
    // Defines members rather than assigns them: `__proto__` stays a member as any other.
    return Object.fromEntries(members);
  }

  #text(text: string): string {
    this.#spend(text.length);
    if (/\p{Surrogate}/u.test(text)) throw new NotBounded('it holds a text with half a character');
    return text;
  }

  #spend(size: number): void {
    this.#left -= size;
    if (this.#left < 0) throw new NotBounded('it is too large');
  }
}
