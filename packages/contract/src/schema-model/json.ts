/** JSON of schemas, and the facts that they keep in comments. */

export type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const objectIn = (value: unknown): Json => (isObject(value) ? value : {});

export const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];

/** The facts that properties and documents keep as JSON text; none if it is not. */
export function commentOf(schema: Json): Json {
  try {
    return objectIn(JSON.parse(String(schema['$comment'])));
  } catch {
    return {};
  }
}

/** The object without these members. */
export const without = (object: Json, members: readonly string[]): Json =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !members.includes(name)));

/** Whether both are the same JSON, whatever the order of members. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((each, at) => sameJson(each, b[at]));
  if (!isObject(a) || !isObject(b)) return a === b;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && sameJson(a[name], b[name]))
  );
}
