/** Members of bodies that hold JSON of any kind, which is stored as it is. */
import type { Json, JsonObject } from '@blockwork/core';
import { isObject } from '@blockwork/core/records';
import { parse } from 'secure-json-parse';
import { z } from 'zod';

/** What nests deeper is no schema or policy, and more than programs without recursion limits take. */
const DEPTH = 100;

export const jsonObject = z.custom<JsonObject>(
  (value) => isObject(value) && isShallow(value),
  `must be an object with at most ${String(DEPTH)} levels`,
);

export const json = z.custom<Json>(isShallow, `must have at most ${String(DEPTH)} levels`);

/** As an object, or as JSON text; clients of the reference send both. `null` counts as nothing. */
export const writtenObject = z.preprocess(parsedText, jsonObject);

/** Invalid JSON stays a text, which is rejected later. */
function parsedText(value: unknown): unknown {
  if (value === null || value === '') return {};
  if (typeof value !== 'string') return value;
  try {
    return parse(value, { protoAction: 'error', constructorAction: 'error' });
  } catch {
    return value;
  }
}

function isShallow(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEPTH) return false;
    level = level.flatMap((each): unknown[] => (typeof each === 'object' && each !== null ? Object.values(each) : []));
  }
  return true;
}
