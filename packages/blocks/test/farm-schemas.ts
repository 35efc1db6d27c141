/** Two schemas as policies write them, and credentials for tests: a farm with its address, and a reading of a device. */
import type { JsonObject } from '@blockwork/core/block';

export const FARM = '#11111111-1111-4111-8111-111111111111&1.0.0';
export const ADDRESS = '#22222222-2222-4222-8222-222222222222&1.0.0';
export const READING = '#33333333-3333-4333-8333-333333333333';
export const FARM_CONTEXT = 'https://ipfs.io/ipfs/farm';

const named: JsonObject = { oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }], readOnly: true };
const ofServer: JsonObject = {
  '@context': named,
  type: named,
  id: { type: 'string', readOnly: true },
};
const ofEngine: JsonObject = {
  policyId: { type: 'string', readOnly: true },
  ref: { type: 'string', readOnly: true },
};

const addressDocument: JsonObject = {
  $id: ADDRESS,
  $comment: `{"term": "address", "@id": "https://ipfs.io/ipfs/address${ADDRESS}"}`,
  type: 'object',
  properties: {
    ...ofServer,
    city: { type: 'string' },
    payTo: { type: 'string', $comment: '{"customType": "hederaAccount"}' },
    policyId: { type: 'string', readOnly: true },
  },
  required: ['@context', 'type', 'city', 'policyId'],
  additionalProperties: false,
};

export const farmDocument: JsonObject = {
  $id: FARM,
  $comment: `{"term": "farm", "@id": "${FARM_CONTEXT}${FARM}"}`,
  title: 'Farm',
  type: 'object',
  properties: {
    ...ofServer,
    ...ofEngine,
    name: { type: 'string', $comment: '{"term":"name","orderPosition":0}' },
    area: { type: 'number' },
    since: { type: 'string', format: 'date' },
    account: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+$', $comment: '{"customType":"hederaAccount"}' },
    address: { $ref: ADDRESS },
  },
  required: ['@context', 'type', 'name', 'policyId'],
  additionalProperties: false,
  $defs: { [ADDRESS]: addressDocument },
};

/** Takes no reference. */
export const readingDocument: JsonObject = {
  $id: READING,
  type: 'object',
  properties: { ...ofServer, policyId: { type: 'string', readOnly: true }, value: { type: 'number' } },
  required: ['@context', 'type', 'value', 'policyId'],
  additionalProperties: false,
};

/** As the list `schemas` of a policy's file has them. */
export const schemas = [
  { iri: FARM, name: 'Farm ', entity: 'VC', status: 'PUBLISHED', contextURL: FARM_CONTEXT, document: farmDocument },
  { iri: READING, name: 'Reading', entity: 'VC', status: 'DRAFT', contextURL: null, document: readingDocument },
];
