/** A policy with a form, a timer and a gate for readings from outside: everything that the bench offers finds its counterpart. */
import { block } from '@blockwork/testing';

const grid = (tag: string, type: string, owner: string) =>
  block('interfaceDocumentsSourceBlock', tag, {
    permissions: [owner],
    children: [
      block('documentsSourceAddon', `${tag}_source`, {
        dataType: 'vc-documents',
        filters: [{ type: 'equal', field: 'type', value: type }],
      }),
    ],
  });

const save = (tag: string, type: string, more: object = {}) =>
  block('sendToGuardianBlock', tag, {
    dataSource: 'database',
    documentType: 'vc',
    entityType: type,
    stopPropagation: true,
    ...more,
  });

/** What the subject of a reading says it is. */
export const READING = '00000000-0000-4000-8000-00000000aaaa';

const reading = {
  iri: `#${READING}`,
  name: 'Reading',
  document: { $id: `#${READING}`, type: 'object', properties: { value: { type: 'number' } } },
};

export const meadow = {
  name: 'Meadow',
  policyRoles: ['Keeper'],
  schemas: [reading],
  tokens: [
    { tokenId: '0.0.77', tokenName: 'Meadow', tokenSymbol: 'MDW', tokenType: 'fungible', decimals: 1 },
    { tokenId: '0.0.78', tokenName: 'Field', tokenSymbol: 'FLD', tokenType: 'fungible', decimals: 0 },
  ],
  config: block('interfaceContainerBlock', 'root', {
    children: [
      block('policyRolesBlock', 'choose_role', { permissions: ['NO_ROLE'], roles: ['Keeper'] }),
      block('requestVcDocumentBlock', 'form', { permissions: ['Keeper'], schema: reading.iri, idType: 'UUID' }),
      save('save_form', 'note', { stopPropagation: false }),
      block('timerBlock', 'daily', {
        startDate: '2026-01-01T00:00:00.000Z',
        period: 'daily',
        stopPropagation: true,
        events: [{ source: 'daily', output: 'TimerEvent', target: 'collect', input: 'TimerEvent', actor: '' }],
      }),
      grid('notes', 'note', 'OWNER'),
      block('externalDataBlock', 'meter', { schema: reading.iri, entityType: 'reading' }),
      block('aggregateDocumentBlock', 'collect', { aggregateType: 'period', timer: 'daily' }),
      block('mintDocumentBlock', 'mint', { tokenId: '0.0.77', rule: 'value', accountType: 'default' }),
      save('save_reading', 'reading'),
      grid('readings', 'reading', 'OWNER'),
    ],
  }),
};
