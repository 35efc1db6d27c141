/** Reading and writing fields of subjects by path, through lists. */
import { isObject, type Json, type JsonObject } from '@blockwork/core/block';

/** `null` if there is no value; through a list, the list of its elements' values. */
export function readPath(subject: Json, path: string): Json {
  return path.split('.').reduce<Json>((value, key) => stepInto(value, key), subject);
}

function stepInto(value: Json, key: string): Json {
  if (Array.isArray(value)) return value.flatMap((element) => stepInto(element, key) ?? []);
  return isObject(value) && Object.hasOwn(value, key) ? (value[key] ?? null) : null;
}

/**
 * The subject with a value at a path; `undefined` removes the field. Creates missing objects along the path. In a list, each
 * element gets its own element of a list, or the value itself. Returns `undefined` if the path crosses anything else.
 */
export function withPath(subject: JsonObject, path: string, value: Json | undefined): JsonObject | undefined {
  const written = write(subject, path.split('.'), value);
  return isObject(written) ? written : undefined;
}

function write(container: Json, keys: readonly string[], value: Json | undefined): Json | undefined {
  const [key, ...rest] = keys;
  if (key === undefined) return value;
  if (Array.isArray(container)) return writeEach(container, keys, value);
  if (!isObject(container)) return undefined;
  if (rest.length === 0) {
    const others = Object.entries(container).filter(([name]) => name !== key);
    return Object.fromEntries(value === undefined ? others : [...Object.entries(container), [key, value]]);
  }
  const inner = Object.hasOwn(container, key) ? container[key] : undefined;
  if (inner === undefined && value === undefined) return container;
  const written = write(inner ?? {}, rest, value);
  return written === undefined ? undefined : Object.fromEntries([...Object.entries(container), [key, written]]);
}

function writeEach(container: readonly Json[], keys: readonly string[], value: Json | undefined): Json[] | undefined {
  const written = container.map((element, at) => write(element, keys, Array.isArray(value) ? value[at] : value));
  return written.some((each) => each === undefined) ? undefined : (written as Json[]);
}
