/** Mistakes in what a policy has beside its blocks: roles, topics, schemas and tokens. */
import { added, all, inPolicy, renamed, set, without, type Mistake } from './mistake.js';

export const mistakesInPolicies: readonly Mistake[] = [
  inPolicy('the policy has no name', without('name'), 'no name', 'Give'),
  inPolicy('roles are misspelt', renamed('policyRoles', 'policyRole'), 'policyRole', '"policyRoles"'),
  inPolicy('a topic has no name', renamed('policyTopics.0.name', 'nam'), '/policyTopics/0', 'nam', '"name"'),
  inPolicy(
    'a group has a role that is not there',
    set('policyGroups.0.creator', 'Producr'),
    '"Crew"',
    '"Producr"',
    '"Producer"',
  ),
  inPolicy(
    'a navigation leads to no block',
    set('policyNavigation.0.steps.0.block', 'all_report'),
    '"Verifier"',
    '"all_report"',
    '"all_reports"',
  ),
  inPolicy(
    'a type of a token is misspelt',
    set('tokens.0.tokenType', 'funjible'),
    '0.0.5001',
    '"funjible"',
    '"fungible"',
  ),
  inPolicy('decimals are text', set('tokens.0.decimals', '2'), '0.0.5001', 'decimals', 'Write 2'),
  inPolicy('decimals are no whole number', set('tokens.0.decimals', 2.5), '0.0.5001', '2.5', 'whole number'),
  inPolicy('a token has no id', renamed('tokens.0.tokenId', 'tokenID'), '/tokens/0', 'tokenID', '"tokenId"'),
  inPolicy('a token has no symbol', without('tokens.0.tokenSymbol'), '0.0.5001', 'no tokenSymbol', 'Give'),
  inPolicy(
    'a schema has no IRI',
    all(without('schemas.0.iri'), without('schemas.0.document.$id')),
    '/schemas/0',
    'no IRI',
    'Give',
  ),
  inPolicy(
    'a type of a field is misspelt',
    set('schemas.0.document.properties.site.type', 'sting'),
    '"sting"',
    '"string"',
    '/properties/site/type',
  ),
  inPolicy(
    'a schema requires a field that is not there',
    added('schemas.0.document.required', 'kilowattHour'),
    '"kilowattHour"',
    '"kilowattHours"',
    'required',
  ),
  inPolicy(
    'the document of a schema is missing',
    renamed('schemas.0.document', 'documents'),
    '/schemas/0',
    'documents',
    '"document"',
  ),
];
