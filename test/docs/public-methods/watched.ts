/** An object with a note of each call of it and of what it reaches. */

/** What is watched besides the object itself, by the names of its members. */
interface Reach {
  /** Members that are objects with methods; their calls are noted as `documents.find`. */
  readonly members?: readonly string[];
  /** The kind of members that are such objects, or lists of them, or return one; their calls are noted as `handle.select`. */
  readonly kinds?: Readonly<Record<string, string>>;
}

/** Notes calls in `calls`. `prefix` is what their names begin with; empty for none. */
export function watched<Watched extends object>(
  watchedObject: Watched,
  prefix: string,
  calls: Set<string>,
  { members = [], kinds = {} }: Reach = {},
): Watched {
  const watch = (value: unknown, name: string): unknown => {
    if (Array.isArray(value)) return value.map((each) => watch(each, name));
    return typeof value === 'object' && value !== null ? watched(value, name, calls) : value;
  };
  return new Proxy(watchedObject, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      const name = String(key);
      const kind = kinds[name];
      if (typeof value === 'function') {
        return (...args: unknown[]): unknown => {
          calls.add(prefix === '' ? name : `${prefix}.${name}`);
          const result: unknown = Reflect.apply(value, target, args);
          return kind === undefined ? result : watch(result, kind);
        };
      }
      if (kind !== undefined) return watch(value, kind);
      return members.includes(name) ? watch(value, name) : value;
    },
  });
}
