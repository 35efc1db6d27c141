/** `node:v8` for a page: JSON values as bytes, with the numbers that JSON would change. */

/** Texts begin with a quote, so that no text looks like a number that JSON lacks. */
const TEXT = '"';

export const serialize = (value: unknown): Uint8Array =>
  new TextEncoder().encode(
    JSON.stringify(value, (_name, each: unknown) => {
      if (typeof each === 'string') return TEXT + each;
      const isInJson = typeof each !== 'number' || (Number.isFinite(each) && !Object.is(each, -0));
      return isInJson ? each : Object.is(each, -0) ? '-0' : String(each);
    }),
  );

export const deserialize = (bytes: Uint8Array): unknown =>
  JSON.parse(new TextDecoder().decode(bytes), (_name, each: unknown) => {
    if (typeof each !== 'string') return each;
    return each.startsWith(TEXT) ? each.slice(TEXT.length) : Number(each);
  });
