/** `@blockwork/contract/schema-context`: the JSON-LD context that stands for a schema which was never published. */

/** Terms look neither like addresses nor like keywords, and those of credentials keep their meaning. */
const isTerm = (name: string): boolean =>
  /^[^@:/\s][^:/]{0,300}$/.test(name) && !['id', 'type', 'proof'].includes(name);

/**
 * Gives each field an IRI of its own below the address, and its value the meaning of the JSON that it is. Names that are no terms are left
 * out; the order and repetitions of names make no difference.
 *
 * @example schemaContext('schema:plant', ['name'])['@context']['name']; // { '@id': 'schema:plant#name', '@type': '@json' }
 */
export const schemaContext = (
  address: string,
  fields: Iterable<string>,
): Record<'@context', Record<string, string | number | Record<string, string>>> => ({
  '@context': {
    '@version': 1.1,
    '@vocab': `${address}#`,
    id: '@id',
    type: '@type',
    ...Object.fromEntries(
      [...new Set(fields)]
        .filter(isTerm)
        .sort()
        .map((name) => [name, { '@id': `${address}#${encodeURIComponent(name)}`, '@type': '@json' }]),
    ),
  },
});
