/** JSON in bytes that anyone may have written. */

/** `undefined` for what is no JSON in UTF-8. */
export function jsonIn(content: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(content));
  } catch {
    return undefined;
  }
}
