/** A JSON Schema of `.policy.json` files, for completion and checks in editors. */
import { blockRule } from './block-rule.mjs';
import { definitionsOf } from './option-types.mjs';

const text = { type: 'string' };
const texts = { type: 'array', items: text };
const oneOf = (...values) => ({ enum: values });
/** Blank where an option does not apply. */
const anyCase = (...values) => oneOf(...values.flatMap((each) => [each, each.toLowerCase(), each.toUpperCase()]), '');

/** `demands`: from `demandedOptions`. */
export function policySchema(types, demands, comments, toJsonSchema) {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Blockwork policy',
    type: 'object',
    required: ['name', 'config'],
    properties: {
      $schema: text,
      ...factSchemas,
      ...Object.fromEntries(writtenByEditors.map((name) => [name, true])),
      config: { $ref: '#/definitions/block' },
    },
    additionalProperties: false,
    definitions: {
      block: blockSchema(types, demands, comments, toJsonSchema),
      blocks,
      withoutEffect,
      link,
      tokenType,
      ...Object.assign({}, ...types.map((type) => definitionsOf(type, toJsonSchema).definitions)),
    },
  };
}

/** What published policies have besides; the engine keeps it. */
const writtenByEditors = [
  'actionsTopicId',
  'applicabilityConditions',
  'autoRecordSteps',
  'availability',
  'categoriesExport',
  'commentsTopicId',
  'configFileId',
  'createDate',
  'creator',
  'dependenciesMean',
  'detailsUrl',
  'discontinuedDate',
  'hash',
  'hashMap',
  'hashMapFileId',
  'importantParameters',
  'instanceTopicId',
  'locationType',
  'messageId',
  'owner',
  'policyDocumentation',
  'recordsTopicId',
  'restoreTopicId',
  'status',
  'synchronizationTopicId',
  'tenantId',
  'tools',
  'topicId',
  'type',
  'typicalProjects',
  'updateDate',
];

const wish = { type: ['boolean', 'null'] };
/** What a ledger is to do with a token. */
const wishes = { changeSupply: wish, enableAdmin: wish, enableFreeze: wish, enableKYC: wish, enableWipe: wish };
/** Of roles, groups, topics and templates. */
const partName = { ...text, maxLength: 200 };
const tokenName = { ...text, maxLength: 100 };
const decimals = { type: 'integer', minimum: 0, maximum: 18 };
const tokenType = oneOf('fungible', 'non-fungible');

const listOf = (properties, required, description) => ({
  type: 'array',
  items: { type: 'object', properties, required },
  description,
});

const factSchemas = {
  id: { ...text, description: 'Its id; a new one where absent.' },
  uuid: text,
  name: { ...text, minLength: 1 },
  description: text,
  version: text,
  codeVersion: text,
  policyTag: text,
  topicDescription: text,
  categories: texts,
  projectSchema: text,
  policyRoles: {
    type: 'array',
    items: { ...partName, pattern: '\\S' },
    uniqueItems: true,
    description: 'The roles that users can take.',
  },
  policyGroups: listOf(
    {
      name: partName,
      creator: { ...text, description: 'The role of whoever founds the group.' },
      members: { ...texts, description: 'The roles that its members can have.' },
      groupRelationshipType: anyCase('Single', 'Multiple'),
      groupAccessType: anyCase('Private', 'Global'),
    },
    ['name', 'creator'],
    'Groups that users can found or join.',
  ),
  policyTopics: listOf(
    { name: partName, description: text, type: text, static: { type: 'boolean' }, memoObj: text },
    ['name'],
    'Topics that documents are published in.',
  ),
  policyTokens: listOf(
    {
      templateTokenTag: partName,
      tokenName,
      tokenSymbol: tokenName,
      tokenType: { $ref: '#/definitions/tokenType' },
      decimals: { anyOf: [decimals, { type: 'string', pattern: '^(\\d|1[0-8])?$' }, { type: 'null' }] },
      ...wishes,
    },
    ['templateTokenTag'],
    'Templates of tokens.',
  ),
  policyNavigation: listOf(
    {
      role: text,
      steps: listOf(
        { block: text, name: text, level: { type: 'integer', minimum: 1 } },
        ['block'],
        'Blocks to go to, by their tags.',
      ),
    },
    ['role', 'steps'],
    'What each role finds in the navigation.',
  ),
  schemas: listOf(
    { iri: { ...text, minLength: 1 }, name: text, document: { $ref: 'http://json-schema.org/draft-07/schema#' } },
    ['iri', 'document'],
    'Schemas of documents, each with "iri", "name" and "document".',
  ),
  tokens: listOf(
    {
      tokenId: { ...text, minLength: 1 },
      tokenName,
      tokenSymbol: tokenName,
      tokenType: { $ref: '#/definitions/tokenType' },
      decimals,
      initialSupply: { enum: [0, '0', '', null], description: 'Tokens come from mints alone.' },
      ...wishes,
    },
    ['tokenId', 'tokenName', 'tokenSymbol'],
    'Tokens, each with "tokenId", "tokenName", "tokenSymbol" and "decimals".',
  ),
};

const link = {
  type: 'object',
  description: 'A link from an output of a block to an input of a block.',
  required: ['source', 'output', 'target', 'input'],
  properties: {
    source: { ...text, description: 'Tag of the block whose output it is.' },
    output: text,
    target: { ...text, description: 'Tag of the block that is run.' },
    input: text,
    actor: { enum: ['', 'owner', 'issuer', null], description: 'For whom the target runs; blank for the same user.' },
    disabled: { type: ['boolean', 'null'] },
  },
  additionalProperties: false,
};

/** Editors warn of it, and do not offer it. */
const withoutEffect = { deprecationMessage: 'It has no effect here.', doNotSuggest: true };

/** A block, or a list with one: anywhere but in `children` it is dropped. */
const blocks = {
  anyOf: [
    { type: 'object', required: ['blockType'] },
    { type: 'array', contains: { type: 'object', required: ['blockType'] } },
  ],
};

function blockSchema(types, demands, comments, toJsonSchema) {
  const links = { type: 'array', items: { $ref: '#/definitions/link' } };
  return {
    type: 'object',
    required: ['blockType'],
    properties: {
      blockType: { enum: types.map(({ type }) => type) },
      id: text,
      tag: { ...text, description: 'Its name, unique in the policy.' },
      permissions: { ...texts, description: 'ANY_ROLE, OWNER, NO_ROLE, or roles of the policy.' },
      defaultActive: { type: ['boolean', 'null'] },
      dependencies: { ...texts, description: 'Tags of the blocks that have to be done before this one opens.' },
      events: links,
      innerEvents: links,
      stopPropagation: { type: ['boolean', 'null'] },
      onErrorAction: { enum: ['no-action', 'retry', 'goto-step', 'goto-tag', '', null] },
      errorTimeout: { type: ['number', 'string', 'null'] },
      errorFallbackStep: { type: ['number', 'string', 'null'] },
      errorFallbackTag: { type: ['string', 'null'] },
      uiMetaData: { type: ['object', 'null'] },
      children: { type: 'array', items: { $ref: '#/definitions/block' } },
    },
    allOf: types.map((type) => blockRule(type, types, demands, comments, toJsonSchema)),
  };
}
