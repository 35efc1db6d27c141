/** The approval as a policy: a form, eight buttons for reviewers, and a last one for the registry, which mints. */

const block = (blockType, tag, rest) => ({ blockType, tag, permissions: ['ANY_ROLE'], defaultActive: true, ...rest });
const SCHEMA = '#5a1e0000-0000-4000-8000-000000000001';

const save = (tag, permissions) =>
  block('sendToGuardianBlock', tag, {
    permissions,
    dataSource: 'database',
    documentType: 'vc',
    entityType: 'application',
  });

/** Step `n` is open where the document has passed the step before. */
function approval(step) {
  const permissions = [step === 10 ? 'OWNER' : 'Reviewer'];
  const waiting = { type: 'equal', field: 'option.status', value: `Step ${step - 1}` };
  const button = { tag: 'Approve', name: 'Approve', type: 'selector', field: 'option.status', value: `Step ${step}` };
  const saved = save(`save_${step}`, permissions);
  const mint = { permissions, tokenId: '0.0.5001', rule: '1', accountType: 'default', stopPropagation: true };
  return [
    block('buttonBlock', `approve_${step}`, {
      permissions,
      defaultActive: false,
      uiMetaData: { buttons: [{ ...button, filters: [waiting] }] },
      events: [{ source: `approve_${step}`, output: 'Approve', target: saved.tag, input: 'RunEvent', actor: '' }],
      stopPropagation: true,
    }),
    ...(step === 10 ? [saved, block('mintDocumentBlock', 'mint', mint)] : [{ ...saved, stopPropagation: true }]),
  ];
}

const approvals = [2, 3, 4, 5, 6, 7, 8, 9, 10].flatMap(approval);

export const policy = {
  name: 'Approval',
  policyRoles: ['Reviewer'],
  schemas: [
    {
      iri: SCHEMA,
      name: 'Application',
      document: { $id: SCHEMA, type: 'object', properties: { flow: { type: 'string' } }, required: ['flow'] },
    },
  ],
  tokens: [{ tokenId: '0.0.5001', tokenName: 'Certificate', tokenSymbol: 'C', tokenType: 'fungible', decimals: 0 }],
  config: block('interfaceContainerBlock', 'root', {
    children: [
      block('policyRolesBlock', 'choose_role', { permissions: ['NO_ROLE'], roles: ['Reviewer'] }),
      block('requestVcDocumentBlock', 'apply', { permissions: ['NO_ROLE'], schema: SCHEMA, idType: 'UUID' }),
      {
        ...save('save_1', ['NO_ROLE']),
        options: [{ name: 'status', value: 'Step 1' }],
        stopPropagation: true,
      },
      block('interfaceDocumentsSourceBlock', 'applications', {
        uiMetaData: {
          fields: approvals.flatMap(({ blockType, tag }) =>
            blockType === 'buttonBlock' ? [{ name: 'option.status', title: tag, type: 'block', bindBlock: tag }] : [],
          ),
        },
        children: [
          block('documentsSourceAddon', 'source', {
            dataType: 'vc-documents',
            filters: [{ type: 'equal', field: 'type', value: 'application' }],
          }),
        ],
      }),
      ...approvals,
    ],
  }),
};
