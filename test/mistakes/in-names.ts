/** Mistakes in names and limits that only a reader of the whole policy notices: no editor knows its schemas and tags. */
import { inBlock, inPolicy, set, type Mistake } from './mistake.js';

const inner = { blockType: 'informationBlock', tag: 'alone', permissions: ['Producer'] };
const derived = {
  blockType: 'calculateContainerBlock',
  tag: 'derive',
  permissions: ['Verifier'],
  inputSchema: '#5a1e0000-0000-4000-8000-000000000001',
  outputSchema: '#5a1e0000-0000-4000-8000-000000000002',
  inputFields: [{ name: 'kilowatHours', value: 'hours' }],
  outputFields: [{ name: 'amount', value: 'hours' }],
};

export const mistakesInNames: readonly Mistake[] = [
  inBlock('blocks are members of an object', 'wait', set('steps', { first: inner }), '"wait"', 'steps', '"children"'),
  inBlock(
    'blocks are lists in an object',
    'producer',
    set('pages', { first: [inner] }),
    '"producer"',
    'pages',
    '"children"',
  ),
  inBlock(
    'the beginning of a column is misspelt',
    'all_reports',
    set('uiMetaData.fields.1.name', 'optoin.status'),
    '/uiMetaData/fields/1/name',
    'optoin.status',
    '"option"',
  ),
  inBlock(
    'the subject of a column is misspelt',
    'all_reports',
    set('uiMetaData.fields.0.name', 'document.credentailSubject.0.site'),
    '/uiMetaData/fields/0/name',
    'document.credentailSubject.0.site',
    '"credentialSubject"',
  ),
  inBlock(
    'a column is for the rows of a misspelt source',
    'all_reports',
    set('uiMetaData.fields.2.bindGroup', 'report'),
    '/uiMetaData/fields/2/bindGroup',
    '"report"',
    '"reports"',
  ),
  inBlock(
    'the last step is no child',
    'wait',
    set('finalBlocks', ['wating']),
    '/finalBlocks/0',
    '"wating"',
    '"waiting"',
  ),
  inBlock(
    'a preset is for a field that is not there',
    'report',
    set('presetFields', [{ name: 'siet', title: 'Site', value: 'site', readonly: false }]),
    '/presetFields/0/name',
    '"siet"',
    '"site"',
  ),
  inBlock(
    'a calculation reads a field that is not there',
    'verifier',
    set('children.8', derived),
    '/inputFields/0/name',
    '"kilowatHours"',
    '"kilowattHours"',
  ),
  inBlock(
    'a timer ends before it starts',
    'monthly',
    set('endDate', '2025-12-31T00:00:00Z'),
    '"monthly"',
    'never ticks',
    'endDate',
  ),
  inBlock(
    'a timer waits for a day that never comes',
    'monthly',
    (timer) => {
      set('period', 'custom')(timer);
      set('periodMask', '0 0 30 2 *')(timer);
    },
    '"monthly"',
    'never ticks',
    'period',
  ),
  inPolicy(
    'a number has a minimum above its maximum',
    set('schemas.0.document.properties.kilowattHours.maximum', -1),
    '/properties/kilowattHours/minimum',
    'is 0',
    'maximum -1',
  ),
  inPolicy(
    'a text has to be longer than it may be',
    set('schemas.0.document.properties.site', { type: 'string', title: 'Site', minLength: 9, maxLength: 5 }),
    '/properties/site/minLength',
    'is 9',
    'maxLength 5',
  ),
  inPolicy(
    'two bounds exclude the only value between them',
    set('schemas.0.document.properties.kilowattHours.exclusiveMaximum', 0),
    '/properties/kilowattHours/minimum',
    'exclusiveMaximum 0',
  ),
];
