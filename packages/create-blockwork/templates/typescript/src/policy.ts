/** The policy: a report, an approval, and credits. */
import { definePolicy } from '@blockwork/blocks';

const reportSchema = '#5a1e0000-0000-4000-8000-000000000001';
const credit = '0.0.5001';

export const policy = definePolicy({
  name: '{{name}}',
  description:
    'A producer reports electricity from sunlight; the registry approves, and mints one credit for each kilowatt hour.',
  topicDescription: '{{name}}',
  policyRoles: ['Producer'],
  schemas: [
    {
      iri: reportSchema,
      name: 'Report',
      document: {
        $id: reportSchema,
        title: 'Report',
        type: 'object',
        properties: {
          site: {
            type: 'string',
            title: 'Site',
          },
          kilowattHours: {
            type: 'number',
            title: 'Kilowatt hours',
            minimum: 0,
          },
        },
        required: ['site', 'kilowattHours'],
      },
    },
  ],
  tokens: [
    {
      tokenId: credit,
      tokenName: 'Sunlight credit',
      tokenSymbol: 'SUN',
      tokenType: 'fungible',
      decimals: 2,
    },
  ],
  config: {
    blockType: 'interfaceContainerBlock',
    tag: 'root',
    permissions: ['ANY_ROLE'],
    defaultActive: true,
    children: [
      {
        blockType: 'policyRolesBlock',
        tag: 'choose_role',
        permissions: ['NO_ROLE'],
        defaultActive: true,
        roles: ['Producer'],
      },
      {
        blockType: 'interfaceContainerBlock',
        tag: 'producer',
        permissions: ['Producer'],
        defaultActive: true,
        children: [
          {
            blockType: 'requestVcDocumentBlock',
            tag: 'report',
            permissions: ['Producer'],
            defaultActive: true,
            schema: reportSchema,
            idType: 'UUID',
          },
          {
            blockType: 'sendToGuardianBlock',
            tag: 'save_report',
            permissions: ['Producer'],
            dataSource: 'database',
            documentType: 'vc',
            entityType: 'report',
            options: [
              {
                name: 'status',
                value: 'Waiting',
              },
            ],
            stopPropagation: true,
          },
          {
            blockType: 'interfaceDocumentsSourceBlock',
            tag: 'my_reports',
            permissions: ['Producer'],
            defaultActive: true,
            children: [
              {
                blockType: 'documentsSourceAddon',
                tag: 'own_reports',
                permissions: ['Producer'],
                dataType: 'vc-documents',
                onlyOwnDocuments: true,
                filters: [
                  {
                    type: 'equal',
                    field: 'type',
                    value: 'report',
                  },
                ],
              },
            ],
          },
        ],
      },
      {
        blockType: 'interfaceContainerBlock',
        tag: 'registry',
        permissions: ['OWNER'],
        defaultActive: true,
        children: [
          {
            blockType: 'interfaceDocumentsSourceBlock',
            tag: 'all_reports',
            permissions: ['OWNER'],
            defaultActive: true,
            uiMetaData: {
              fields: [
                {
                  name: 'document.credentialSubject.0.site',
                  title: 'Site',
                  type: 'text',
                },
                {
                  name: 'option.status',
                  title: 'Status',
                  type: 'text',
                },
                {
                  name: 'option.status',
                  title: 'Decision',
                  type: 'block',
                  bindBlock: 'decide',
                },
              ],
            },
            children: [
              {
                blockType: 'documentsSourceAddon',
                tag: 'reports',
                permissions: ['OWNER'],
                dataType: 'vc-documents',
                filters: [
                  {
                    type: 'equal',
                    field: 'type',
                    value: 'report',
                  },
                ],
              },
            ],
          },
          {
            blockType: 'buttonBlock',
            tag: 'decide',
            permissions: ['OWNER'],
            defaultActive: false,
            uiMetaData: {
              buttons: [
                {
                  tag: 'Approve',
                  name: 'Approve',
                  type: 'selector',
                  field: 'option.status',
                  value: 'Approved',
                  filters: [
                    {
                      type: 'equal',
                      field: 'option.status',
                      value: 'Waiting',
                    },
                  ],
                },
                {
                  tag: 'Reject',
                  name: 'Reject',
                  type: 'selector',
                  field: 'option.status',
                  value: 'Rejected',
                  filters: [
                    {
                      type: 'equal',
                      field: 'option.status',
                      value: 'Waiting',
                    },
                  ],
                },
              ],
            },
            stopPropagation: true,
            events: [
              {
                source: 'decide',
                output: 'Approve',
                target: 'save_approved',
                input: 'RunEvent',
                actor: '',
              },
              {
                source: 'decide',
                output: 'Reject',
                target: 'save_rejected',
                input: 'RunEvent',
                actor: '',
              },
            ],
          },
          {
            blockType: 'sendToGuardianBlock',
            tag: 'save_rejected',
            permissions: ['OWNER'],
            dataSource: 'database',
            documentType: 'vc',
            entityType: 'report',
            stopPropagation: true,
          },
          {
            blockType: 'sendToGuardianBlock',
            tag: 'save_approved',
            permissions: ['OWNER'],
            dataSource: 'database',
            documentType: 'vc',
            entityType: 'report',
          },
          {
            blockType: 'mintDocumentBlock',
            tag: 'mint',
            permissions: ['OWNER'],
            tokenId: credit,
            rule: 'kilowattHours',
            accountType: 'default',
            stopPropagation: true,
          },
        ],
      },
    ],
  },
});
