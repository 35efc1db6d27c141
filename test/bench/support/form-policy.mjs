/** A policy with one form, and what becomes of the document that it makes. */
import { block } from './block.mjs';

const SCHEMA = '#5a1e0000-0000-4000-8000-000000000001';
const TOKEN = '0.0.5001';

/** What a producer fills in. */
export const reading = { document: { site: 'Roof', kilowattHours: 12.5 }, ref: null };

/** `outcome`: the block after the form. */
export const formPolicy = (name, outcome) => ({
  name,
  policyRoles: ['Producer'],
  schemas: [
    {
      iri: SCHEMA,
      name: 'Report',
      document: {
        $id: SCHEMA,
        type: 'object',
        properties: { site: { type: 'string' }, kilowattHours: { type: 'number' } },
        required: ['site', 'kilowattHours'],
      },
    },
  ],
  tokens: [{ tokenId: TOKEN, tokenName: 'Credit', tokenSymbol: 'SUN', tokenType: 'fungible', decimals: 2 }],
  config: block('interfaceContainerBlock', 'root', {
    children: [
      block('policyRolesBlock', 'role', { permissions: ['NO_ROLE'], roles: ['Producer'] }),
      block('requestVcDocumentBlock', 'form', { schema: SCHEMA, idType: 'UUID' }),
      outcome,
    ],
  }),
});

export const stores = block('sendToGuardianBlock', 'save', {
  dataSource: 'database',
  documentType: 'vc',
  entityType: 'report',
  stopPropagation: true,
});
export const mints = block('mintDocumentBlock', 'mint', {
  tokenId: TOKEN,
  rule: 'kilowattHours',
  accountType: 'default',
});
