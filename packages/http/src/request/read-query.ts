/** Reads the query of a request. The last value of a key wins; invalid escapes are kept as they are. */
import { BlockworkError } from '@blockwork/core';
import { describeDetails, toDetails } from '@blockwork/core/block';
import { parse } from 'node:querystring';
import type { Query } from '@blockwork/contract';

const empty: Readonly<Record<string, string>> = Object.freeze(Object.create(null) as Record<string, string>);

/** Unknown keys are ignored. */
export function readQuery(query: Query, text: string): unknown {
  switch (query.kind) {
    case 'none':
      return undefined;
    case 'open':
      return values(text);
    case 'listed': {
      const parsed = query.schema.safeParse(values(text, query.lists));
      if (parsed.success) return parsed.data;
      const details = toDetails(parsed.error);
      const reason = `The query is invalid: ${describeDetails(details, 'the query')}.`;
      throw new BlockworkError('QUERY_INVALID', { facts: { reason }, details });
    }
  }
}

/** Without a prototype, so that keys like `__proto__` are ordinary. */
function values(text: string, lists: readonly string[] = []): Readonly<Record<string, string | string[]>> {
  if (text === '') return empty;
  const parsed = parse(text);
  const result = Object.create(null) as Record<string, string | string[]>;
  for (const key of Object.keys(parsed)) {
    const value = parsed[key] ?? '';
    if (lists.includes(key)) result[key] = [value].flat();
    else result[key] = (Array.isArray(value) ? value.at(-1) : value) ?? '';
  }
  return result;
}
