/** The definition of a policy, from its records and back. */
import { readSchemas, readTokens, type PolicyFileLimits } from '../policy/index.js';
import type { BlockSource, SchemaRecord, StoredPolicy, TokenRecord } from '../records/index.js';
import type { PolicyDefinition } from './operations/definition.js';

/** The members of a policy's record that its author edits. */
export const editedFacts = [
  'name',
  'description',
  'topicDescription',
  'policyRoles',
  'policyGroups',
  'policyTopics',
  'policyTokens',
  'policyNavigation',
  'categories',
] as const;

type EditedFacts = { readonly [Fact in (typeof editedFacts)[number]]?: DeepReadonly<StoredPolicy[Fact]> };
type DeepReadonly<T> = T extends readonly (infer Item)[] ? readonly Item[] : T;

export interface DefinitionRecords {
  readonly record: EditedFacts;
  readonly config: BlockSource;
  readonly schemas: readonly SchemaRecord[];
  readonly tokens: readonly TokenRecord[];
}

export const definitionOf = ({ record, config, schemas, tokens }: DefinitionRecords): PolicyDefinition => ({
  name: record.name ?? '',
  description: record.description ?? '',
  topicDescription: record.topicDescription ?? '',
  policyRoles: [...(record.policyRoles ?? [])],
  policyGroups: [...(record.policyGroups ?? [])],
  policyTopics: [...(record.policyTopics ?? [])],
  policyTokens: [...(record.policyTokens ?? [])],
  policyNavigation: [...(record.policyNavigation ?? [])],
  categories: [...(record.categories ?? [])],
  config,
  schemas: byId(schemas).map(writtenSchema),
  tokens: byId(tokens).map(({ source }) => source),
});

/** As in a file. */
function writtenSchema({ id, document, source }: SchemaRecord): SchemaRecord['source'] {
  const schema = document === null ? source : { ...source, document };
  return schema['iri'] === id || (schema['iri'] === undefined && document?.['$id'] === id)
    ? schema
    : { ...schema, iri: id };
}

const byId = <T extends { readonly id: string }>(items: readonly T[]): T[] =>
  [...items].sort((a, b) => (a.id < b.id ? -1 : 1));

/** The records of the schemas and tokens. */
export const recordsOf = (
  { schemas, tokens }: Pick<PolicyDefinition, 'schemas' | 'tokens'>,
  limits: PolicyFileLimits,
): { readonly schemas: readonly SchemaRecord[]; readonly tokens: readonly TokenRecord[] } => ({
  schemas: readSchemas(named('schemas', schemas), limits, []),
  tokens: readTokens(named('tokens', tokens), []),
});

const named = (member: string, contents: readonly unknown[]): { readonly name: string; readonly content: unknown }[] =>
  contents.map((content, index) => ({ name: `/${member}/${String(index)}`, content }));
