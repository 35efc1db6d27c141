/** Copies a row with changed values, as a web client changes a document before posting it. */
import type { JsonObject } from '@blockwork/core';
import { cloneJson, isObject } from '@blockwork/core/block';
import type { Where } from './where.js';

/** Paths are like `option.status` or `document.credentialSubject.0.siteId`. Missing objects are created. */
export function setAt(row: JsonObject, values: Where): JsonObject {
  const copy = cloneJson(row);
  for (const [path, value] of Object.entries(values)) write(copy, path.split('.'), value);
  return copy;
}

function write(holder: Record<string, unknown>, [key = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    holder[key] = value;
    return;
  }
  const member = holder[key];
  const below = isObject(member) || Array.isArray(member) ? member : (holder[key] = {});
  write(below as Record<string, unknown>, rest, value);
}
