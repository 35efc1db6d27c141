/** The JSON-LD context that is published with a schema: the one by which its documents are signed. */
import { schemaContext } from '@blockwork/contract/schema-context';
import type { JsonObject, SettlementFacts } from '@blockwork/core';

type Schema = NonNullable<SettlementFacts['schema']>;

/** Fields of subjects that the engine adds where a schema takes them. */
const ADDED = ['policyId', 'ref'];

/** As it is at its address already; else with an IRI for each field, whose value is a JSON literal. */
export function publishedContext({ document, address, context }: Schema): JsonObject {
  if (context !== null) return context;
  const { properties } = document;
  const fields = typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
  return schemaContext(address, [...fields, ...ADDED]);
}

/** The file that the address names, which is where the context is looked for; `undefined` if it names none. */
export const cidIn = (address: string): string | undefined =>
  /(?:^|\/)(Qm[1-9A-HJ-NP-Za-km-z]{44}|b[a-z2-7]{58})(?=$|[/?#])/.exec(address)?.[1];
