/** A policy with an application, its approval, and a mint: small enough to be explored whole, with places for defects. */
import { block } from '@blockwork/testing';

const form = {
  iri: '#00000000-0000-4000-8000-0000000000aa',
  name: 'Harvest',
  document: {
    $id: '#00000000-0000-4000-8000-0000000000aa',
    type: 'object',
    properties: {
      field: { type: 'string' },
      kilograms: { type: 'number', minimum: 1, maximum: 50 },
      kind: { type: 'string', enum: ['apple', 'pear'] },
    },
    required: ['field', 'kilograms'],
    additionalProperties: false,
  },
};

const save = (tag: string, status: string, more: object = {}): object =>
  block('sendToGuardianBlock', tag, {
    dataSource: 'database',
    documentType: 'vc',
    entityType: 'harvest',
    stopPropagation: true,
    ...(status !== '' && { options: [{ name: 'status', value: status }] }),
    ...more,
  });

const link = (source: string, output: string, target: string): object => ({
  source,
  output,
  target,
  input: 'RunEvent',
  actor: '',
});

const mint = (tag: string, more: object = {}): object =>
  block('mintDocumentBlock', tag, {
    tokenId: '0.0.77',
    rule: 'kilograms',
    accountType: 'default',
    stopPropagation: true,
    ...more,
  });

export interface OrchardDefects {
  /** The status that a harvest gets when it is handed in; approvers look for "Waiting". */
  readonly status?: string;
  /** Blocks in front of the last one. */
  readonly more?: readonly object[];
  /** Blocks that an approval goes to. */
  readonly approved?: readonly string[];
  /** The rule of the mint. */
  readonly rule?: string;
}

export const orchard = ({
  status = 'Waiting',
  more = [],
  approved = ['approve_save'],
  rule = 'kilograms',
}: OrchardDefects = {}): object => ({
  name: 'Orchard',
  policyRoles: ['Grower', 'Verifier'],
  schemas: [form],
  tokens: [{ tokenId: '0.0.77', tokenName: 'Apple', tokenSymbol: 'APL', tokenType: 'fungible', decimals: 2 }],
  config: block('interfaceContainerBlock', 'root', {
    children: [
      block('policyRolesBlock', 'choose_role', { permissions: ['NO_ROLE'], roles: ['Grower', 'Verifier'] }),
      block('requestVcDocumentBlock', 'harvest', { permissions: ['Grower'], schema: form.iri, idType: 'UUID' }),
      save('harvest_save', status),
      block('interfaceDocumentsSourceBlock', 'harvests', {
        permissions: ['Verifier'],
        uiMetaData: { fields: [{ name: '', title: 'Decision', type: 'block', bindBlock: 'decide' }] },
        children: [
          block('documentsSourceAddon', 'harvests_waiting', {
            dataType: 'vc-documents',
            schema: form.iri,
            filters: [{ type: 'equal', field: 'option.status', value: 'Waiting' }],
          }),
        ],
      }),
      block('buttonBlock', 'decide', {
        permissions: ['Verifier'],
        uiMetaData: {
          buttons: [
            { tag: 'Approve', type: 'selector', field: 'option.status', value: 'Approved', filters: [] },
            { tag: 'Reject', type: 'selector', field: 'option.status', value: 'Rejected', filters: [] },
          ],
        },
        events: [
          ...approved.map((target) => link('decide', 'Approve', target)),
          link('decide', 'Reject', 'reject_save'),
        ],
      }),
      save('reject_save', ''),
      save('approve_save', '', { stopPropagation: false }),
      mint('mint', { rule }),
      block('interfaceDocumentsSourceBlock', 'all_harvests', {
        permissions: ['OWNER'],
        children: [block('documentsSourceAddon', 'all_source', { dataType: 'vc-documents', schema: form.iri })],
      }),
      ...more,
    ],
  }),
});

export const secondMint = mint('mint_again');

/** A form whose documents go through so many approvals, one after another; each step can also withdraw them for good. */
export function approvals(steps: number): object {
  const stage = (at: number): object[] => [
    block('interfaceDocumentsSourceBlock', `grid_${String(at)}`, {
      permissions: ['OWNER'],
      uiMetaData: { fields: [{ name: '', title: 'Decision', type: 'block', bindBlock: `decide_${String(at)}` }] },
      children: [
        block('documentsSourceAddon', `source_${String(at)}`, {
          dataType: 'vc-documents',
          filters: [{ type: 'equal', field: 'option.status', value: `Stage ${String(at)}` }],
        }),
      ],
    }),
    block('buttonBlock', `decide_${String(at)}`, {
      permissions: ['OWNER'],
      uiMetaData: {
        buttons: [
          { tag: 'Withdraw', type: 'selector', field: 'option.status', value: 'Withdrawn', filters: [] },
          { tag: 'Next', type: 'selector', field: 'option.status', value: `Stage ${String(at + 1)}`, filters: [] },
        ],
      },
      events: [
        link(`decide_${String(at)}`, 'Withdraw', `save_${String(at)}`),
        link(`decide_${String(at)}`, 'Next', `save_${String(at)}`),
      ],
    }),
    save(`save_${String(at)}`, ''),
  ];
  return {
    name: 'Approvals',
    policyRoles: ['Grower'],
    schemas: [form],
    config: block('interfaceContainerBlock', 'root', {
      children: [
        block('policyRolesBlock', 'choose_role', { permissions: ['NO_ROLE'], roles: ['Grower'] }),
        block('requestVcDocumentBlock', 'harvest', { permissions: ['Grower'], schema: form.iri, idType: 'UUID' }),
        save('harvest_save', 'Stage 1'),
        ...Array.from({ length: steps }, (_, at) => stage(at + 1)).flat(),
      ],
    }),
  };
}
