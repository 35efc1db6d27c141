/** Bounded JSON: a copy of untrusted input that is certainly JSON and within size limits. */
import { isObject, NESTING_AT_MOST, setMember } from '../records/index.js';
import type { Json, JsonObject } from '../records/index.js';

/** Presentations nest credentials, so signed documents may be deeper than client input. */
export const DEPTH_AT_MOST = NESTING_AT_MOST + 10;

/** Characters of texts and names, other values counting as eight. */
export const SIZE_AT_MOST = 16 * 1024 * 1024;

export type Bounded = { readonly value: JsonObject } | { readonly reason: string };

/**
 * Copies an object; `undefined` members are left out, as in JSON. Refuses values without JSON (functions, non-finite numbers,
 * lone surrogates), nesting deeper than `depth`, and anything larger than `SIZE_AT_MOST`.
 */
export function boundedJson(value: unknown, depth = DEPTH_AT_MOST): Bounded {
  if (!isObject(value)) return { reason: 'it is not an object' };
  try {
    return { value: new Copy().of(value, depth) as JsonObject };
  } catch (error) {
    // Thrown by a getter or a proxy, neither of which is JSON.
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
    if (typeof value !== 'object') throw new NotBounded('it holds a value that JSON cannot represent');
    if (depth === 0) throw new NotBounded('it nests too deep');
    if (Array.isArray(value)) return Array.from(value, (item: unknown) => this.of(item, depth - 1));
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== null && prototype !== Object.prototype) throw new NotBounded('it holds a class instance');
    return this.#members(value, depth - 1);
  }

  #members(object: object, depth: number): JsonObject {
    const copy: JsonObject = {};
    for (const name of Object.keys(object)) {
      const member = (object as Record<string, unknown>)[name];
      if (member !== undefined) setMember(copy, this.#text(name), this.of(member, depth));
    }
    return copy;
  }

  #text(text: string): string {
    this.#spend(text.length);
    if (!text.isWellFormed()) throw new NotBounded('it holds a text with a lone surrogate');
    return text;
  }

  #spend(size: number): void {
    this.#left -= size;
    if (this.#left < 0) throw new NotBounded('it is too large');
  }
}
