/** The definitions that a schema brings along, by every name under which it can refer to them. */
import { isObject } from '@blockwork/core/block';

/**
 * Policies write `$defs: {"#<uuid>&<version>": {$id: "#<uuid>&<version>", …}}` and refer to the id; JSON pointers into
 * the definitions are understood as well.
 */
export function definitionsIn(document: Record<string, unknown>): Map<string, Record<string, unknown>> {
  const found = new Map<string, Record<string, unknown>>();
  const name = (key: string, definition: Record<string, unknown>): void => {
    if (!found.has(key)) found.set(key, definition);
  };
  for (const word of ['$defs', 'definitions']) {
    const definitions = document[word];
    if (!isObject(definitions)) continue;
    for (const [key, definition] of Object.entries(definitions)) {
      if (!isObject(definition)) continue;
      name(key, definition);
      name(`#/${word}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, definition);
      if (typeof definition.$id === 'string') name(definition.$id, definition);
    }
  }
  if (typeof document.$id === 'string') name(document.$id, document);
  return found;
}

/** What a schema says where it refers to a definition: the definition. Anything else is itself. */
export function resolved(
  schema: unknown,
  definitions: ReadonlyMap<string, Record<string, unknown>>,
): Record<string, unknown> | undefined {
  if (!isObject(schema)) return undefined;
  return typeof schema.$ref === 'string' ? definitions.get(schema.$ref) : schema;
}
