/** `node:util` for a page. */

/** For JSON values, typed arrays and dates: what the engine compares. */
export function isDeepStrictEqual(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (!isObject(one) || !isObject(other)) return false;
  if (Object.getPrototypeOf(one) !== Object.getPrototypeOf(other)) return false;
  if (one instanceof Date && other instanceof Date) return one.getTime() === other.getTime();
  if (Array.isArray(one) && one.length !== other['length']) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isDeepStrictEqual(one[name], other[name]))
  );
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

type Callback = (error: Error | null, result?: unknown) => void;

export const promisify =
  (work: (...args: never[]) => void) =>
  (...args: readonly unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const done: Callback = (error, result) => {
        if (error === null) resolve(result);
        else reject(error);
      };
      (work as (...all: unknown[]) => void)(...args, done);
    });
