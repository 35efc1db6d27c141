/** Texts in the records of this package, which nobody else writes. */
import type { JsonObject } from '@blockwork/core';

/** `absent` for what is no text. */
export function textIn(content: JsonObject | undefined, name: string, absent = ''): string {
  const value = content?.[name];
  return typeof value === 'string' ? value : absent;
}
