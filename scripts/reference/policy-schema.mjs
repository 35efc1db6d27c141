/** A JSON Schema of `.policy.json` files, for completion and checks in editors. */
import { describeOption } from './option-descriptions.mjs';
import { definitionsOf } from './option-types.mjs';

export function policySchema(types, comments, toJsonSchema) {
  const text = { type: 'string' };
  const objects = { type: 'array', items: { type: 'object' } };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Blockwork policy',
    type: 'object',
    required: ['config'],
    properties: {
      $schema: text,
      id: { ...text, description: 'Its id; a new one where absent.' },
      name: text,
      description: text,
      version: text,
      policyTag: text,
      topicDescription: text,
      policyRoles: { type: 'array', items: text, description: 'The roles that users can take.' },
      policyGroups: objects,
      policyTopics: objects,
      policyTokens: { ...objects, description: 'Templates of tokens.' },
      policyNavigation: objects,
      schemas: { ...objects, description: 'Schemas of documents, each with "iri", "name" and "document".' },
      tokens: { ...objects, description: 'Tokens, each with "tokenId", "tokenName", "tokenSymbol" and "decimals".' },
      config: { $ref: '#/definitions/block' },
    },
    definitions: {
      block: blockSchema(types, comments, toJsonSchema),
      ...Object.assign({}, ...types.map((type) => definitionsOf(type, toJsonSchema).definitions)),
    },
  };
}

function blockSchema(types, comments, toJsonSchema) {
  const names = { type: 'array', items: { type: 'string' } };
  return {
    type: 'object',
    required: ['blockType'],
    properties: {
      blockType: { anyOf: [{ enum: types.map(({ type }) => type) }, { type: 'string' }] },
      id: { type: 'string' },
      tag: { type: 'string', description: 'Its name, unique in the policy.' },
      permissions: { ...names, description: 'ANY_ROLE, OWNER, NO_ROLE, or roles of the policy.' },
      defaultActive: { type: ['boolean', 'null'] },
      dependencies: names,
      events: { type: 'array', items: { type: 'object' } },
      children: { type: 'array', items: { $ref: '#/definitions/block' } },
    },
    allOf: types.flatMap((type) => optionRule(type, comments, toJsonSchema)),
  };
}

function optionRule(type, comments, toJsonSchema) {
  const properties = Object.entries(definitionsOf(type, toJsonSchema).schema.properties ?? {});
  if (properties.length === 0) return [];
  const described = properties.map(([name, schema]) => {
    const description = schema.description ?? describeOption(type.type, name, comments);
    return [name, description === undefined ? schema : { ...schema, description }];
  });
  return [
    {
      if: { properties: { blockType: { const: type.type } }, required: ['blockType'] },
      then: { description: type.description, properties: Object.fromEntries(described) },
    },
  ];
}
