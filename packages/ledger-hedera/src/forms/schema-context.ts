/** The JSON-LD context that is published with a schema: the one by which its documents are signed. */
import type { JsonObject, SettlementFacts } from '@blockwork/core';

type Schema = NonNullable<SettlementFacts['schema']>;

/** Fields of subjects that the engine adds where a schema takes them. */
const ADDED = ['policyId', 'ref'];

/** Terms look neither like addresses nor like keywords, and those of credentials keep their meaning. */
const isTerm = (name: string): boolean =>
  /^[^@:/\s][^:/]{0,300}$/.test(name) && !['id', 'type', 'proof'].includes(name);

/** As it is at its address already; else with an IRI for each field, whose value is a JSON literal. */
export function schemaContext({ document, address, context }: Schema): JsonObject {
  if (context !== null) return context;
  const { properties } = document;
  const fields = typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
  return {
    '@context': {
      '@version': 1.1,
      '@vocab': `${address}#`,
      id: '@id',
      type: '@type',
      ...Object.fromEntries(
        [...new Set([...fields, ...ADDED])]
          .filter(isTerm)
          .sort()
          .map((name) => [name, { '@id': `${address}#${encodeURIComponent(name)}`, '@type': '@json' }]),
      ),
    },
  };
}
