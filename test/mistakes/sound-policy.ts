/** A policy without a mistake, as an author writes it: a report, a check, an approval, a calculation and credits. */

export interface Block {
  blockType: string;
  tag: string;
  children?: Block[];
  [member: string]: unknown;
}

export interface Policy {
  config: Block;
  [member: string]: unknown;
}

const report = '#5a1e0000-0000-4000-8000-000000000001';
const result = '#5a1e0000-0000-4000-8000-000000000002';

const link = (source: string, output: string, target: string, input = 'RunEvent') => ({
  source,
  output,
  target,
  input,
  actor: '',
});

/** A new one each time, to be changed. */
export const soundPolicy = (): Policy => ({
  name: 'Sunlight',
  description: 'A producer reports electricity from sunlight; a verifier approves; credits are minted.',
  policyRoles: ['Producer', 'Verifier'],
  policyGroups: [{ name: 'Crew', creator: 'Producer', members: ['Producer'], groupRelationshipType: 'Multiple' }],
  policyTopics: [{ name: 'Project', description: 'Projects', type: 'any', static: false, memoObj: 'topic' }],
  policyNavigation: [{ role: 'Verifier', steps: [{ block: 'all_reports', name: 'Reports', level: 1 }] }],
  schemas: [
    {
      iri: report,
      name: 'Report',
      document: {
        $id: report,
        title: 'Report',
        type: 'object',
        properties: {
          site: { type: 'string', title: 'Site' },
          kilowattHours: { type: 'number', title: 'Kilowatt hours', minimum: 0 },
        },
        required: ['site', 'kilowattHours'],
      },
    },
    {
      iri: result,
      name: 'Result',
      document: {
        $id: result,
        title: 'Result',
        type: 'object',
        properties: { amount: { type: 'number', title: 'Amount' } },
        required: ['amount'],
      },
    },
  ],
  tokens: [{ tokenId: '0.0.5001', tokenName: 'Sunlight', tokenSymbol: 'SUN', tokenType: 'fungible', decimals: 2 }],
  config: {
    blockType: 'interfaceContainerBlock',
    tag: 'root',
    permissions: ['ANY_ROLE'],
    children: [
      {
        blockType: 'policyRolesBlock',
        tag: 'choose_role',
        permissions: ['NO_ROLE'],
        roles: ['Producer', 'Verifier'],
        groups: ['Crew'],
      },
      {
        blockType: 'interfaceContainerBlock',
        tag: 'producer',
        permissions: ['Producer'],
        children: [
          {
            blockType: 'requestVcDocumentBlock',
            tag: 'report',
            permissions: ['Producer'],
            schema: report,
            idType: 'UUID',
          },
          {
            blockType: 'sendToGuardianBlock',
            tag: 'save_report',
            permissions: ['Producer'],
            dataSource: 'hedera',
            documentType: 'vc',
            entityType: 'report',
            topic: 'Project',
            options: [{ name: 'status', value: 'Waiting' }],
            stopPropagation: true,
            onErrorAction: 'goto-tag',
            errorFallbackTag: 'apologize',
          },
          {
            blockType: 'notificationBlock',
            tag: 'apologize',
            permissions: ['Producer'],
            title: 'Not saved',
            message: 'Your report was not saved. Please send it again.',
            user: 'CURRENT',
            stopPropagation: true,
          },
          {
            blockType: 'interfaceStepBlock',
            tag: 'wait',
            permissions: ['Producer'],
            dependencies: ['save_report'],
            cyclic: true,
            children: [
              {
                blockType: 'informationBlock',
                tag: 'waiting',
                permissions: ['Producer'],
                uiMetaData: { title: 'Waiting', description: 'Your report is being checked.' },
              },
            ],
          },
        ],
      },
      {
        blockType: 'interfaceContainerBlock',
        tag: 'verifier',
        permissions: ['Verifier'],
        children: [
          {
            blockType: 'interfaceDocumentsSourceBlock',
            tag: 'all_reports',
            permissions: ['Verifier'],
            uiMetaData: {
              fields: [
                { name: 'document.credentialSubject.0.site', title: 'Site', type: 'text' },
                { name: 'option.status', title: 'Status', type: 'text' },
                { name: 'option.status', title: 'Decision', type: 'block', bindBlock: 'decide' },
              ],
            },
            children: [
              {
                blockType: 'documentsSourceAddon',
                tag: 'reports',
                permissions: ['Verifier'],
                dataType: 'vc-documents',
                schema: report,
                filters: [
                  { type: 'equal', field: 'type', value: 'report' },
                  { type: 'not_equal', field: 'option.status', value: 'Rejected' },
                ],
                orderDirection: 'desc',
                orderField: 'createDate',
              },
              {
                blockType: 'filtersAddon',
                tag: 'by_site',
                permissions: ['Verifier'],
                defaultActive: true,
                type: 'dropdown',
                field: 'document.credentialSubject.0.site',
                optionName: 'document.credentialSubject.0.site',
                optionValue: 'document.credentialSubject.0.site',
                canBeEmpty: true,
                children: [
                  {
                    blockType: 'documentsSourceAddon',
                    tag: 'sites',
                    permissions: ['Verifier'],
                    dataType: 'vc-documents',
                    schema: report,
                  },
                ],
              },
              { blockType: 'paginationAddon', tag: 'pages', permissions: ['Verifier'], defaultActive: true },
            ],
          },
          {
            blockType: 'buttonBlock',
            tag: 'decide',
            permissions: ['Verifier'],
            uiMetaData: {
              buttons: [
                {
                  tag: 'Approve',
                  name: 'Approve',
                  type: 'selector',
                  field: 'option.status',
                  value: 'Approved',
                  filters: [{ type: 'equal', field: 'option.status', value: 'Waiting' }],
                },
                {
                  tag: 'Reject',
                  name: 'Reject',
                  type: 'selector-dialog',
                  title: 'Reject',
                  description: 'Why?',
                  field: 'option.status',
                  value: 'Rejected',
                  filters: [{ type: 'equal', field: 'option.status', value: 'Waiting' }],
                },
              ],
            },
            stopPropagation: true,
            events: [link('decide', 'Approve', 'sign'), link('decide', 'Reject', 'save_decision')],
          },
          {
            blockType: 'sendToGuardianBlock',
            tag: 'save_decision',
            permissions: ['Verifier'],
            dataSource: 'database',
            documentType: 'vc',
            entityType: 'report',
            stopPropagation: true,
          },
          {
            blockType: 'reassigningBlock',
            tag: 'sign',
            permissions: ['Verifier'],
            issuer: '',
            actor: 'owner',
          },
          {
            blockType: 'sendToGuardianBlock',
            tag: 'save_approved',
            permissions: ['Verifier'],
            dataSource: 'database',
            documentType: 'vc',
            entityType: 'report',
          },
          {
            blockType: 'switchBlock',
            tag: 'enough',
            permissions: ['Verifier'],
            executionFlow: 'firstTrue',
            conditions: [{ tag: 'Yes', type: 'equal', value: 'kilowattHours >= 1', actor: 'owner' }],
            stopPropagation: true,
            events: [link('enough', 'Yes', 'calculate')],
          },
          {
            blockType: 'customLogicBlock',
            tag: 'calculate',
            permissions: ['Verifier'],
            expression: 'done({ amount: documents[0].document.credentialSubject[0].kilowattHours * 0.4 });',
            outputSchema: result,
            documentSigner: 'owner',
            idType: 'UUID',
          },
          {
            blockType: 'tokenActionBlock',
            tag: 'associate',
            permissions: ['Verifier'],
            tokenId: '0.0.5001',
            action: 'associate',
            accountType: 'default',
          },
          {
            blockType: 'mintDocumentBlock',
            tag: 'mint',
            permissions: ['Verifier'],
            tokenId: '0.0.5001',
            rule: 'amount',
            accountType: 'default',
            stopPropagation: true,
          },
          {
            blockType: 'timerBlock',
            tag: 'monthly',
            permissions: ['Verifier'],
            startDate: '2026-01-01T00:00:00Z',
            period: 'monthly',
            periodInterval: 1,
            stopPropagation: true,
            events: [
              link('save_approved', 'RunEvent', 'collect'),
              link('monthly', 'TimerEvent', 'collect', 'TimerEvent'),
            ],
          },
          {
            blockType: 'aggregateDocumentBlock',
            tag: 'collect',
            permissions: ['Verifier'],
            aggregateType: 'period',
            timer: 'monthly',
            expressions: [{ name: 'total', value: 'kilowattHours' }],
            groupByFields: [{ fieldPath: 'document.credentialSubject.0.site' }],
          },
          {
            blockType: 'sendToGuardianBlock',
            tag: 'save_summary',
            permissions: ['Verifier'],
            dataSource: 'database',
            documentType: 'vc',
            entityType: 'summary',
            stopPropagation: true,
          },
        ],
      },
    ],
  },
});

/** The block of a tag, to be changed. */
export function blockOf({ config }: Policy, tag: string): Block {
  const find = (block: Block): Block | undefined =>
    block.tag === tag ? block : (block.children ?? []).map(find).find((each) => each !== undefined);
  const block = find(config);
  if (block === undefined) throw new Error(`The sound policy has no block "${tag}".`);
  return block;
}
