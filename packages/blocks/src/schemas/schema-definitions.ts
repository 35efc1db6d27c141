/** The definitions within a schema, by each name that a reference can use. */
import { isObject } from '@blockwork/core/block';

/**
 * Policies write `$defs: {"#<uuid>&<version>": {$id: "#<uuid>&<version>", …}}` and refer to the id. JSON pointers into
 * the definitions work as well.
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

/** Follows a reference to its definition; a schema without `$ref` is returned as it is. */
export function resolved(
  schema: unknown,
  definitions: ReadonlyMap<string, Record<string, unknown>>,
): Record<string, unknown> | undefined {
  if (!isObject(schema)) return undefined;
  return typeof schema.$ref === 'string' ? definitions.get(schema.$ref) : schema;
}
