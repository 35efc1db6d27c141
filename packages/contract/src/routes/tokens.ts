/** Routes about the tokens of a policy. */
import { z } from 'zod';
import { refused, totalCount } from '../answers.js';
import { documentId, policyId, tokenId } from '../parameter.js';
import { boundedPageQuery, bundleQuery } from '../query-parameters.js';
import { effectType } from '../records/enumerations.js';
import { ledgerEffect, tokenBalance, tokenSummary } from '../records/ledger.js';
import { ledgerComparison } from '../records/ledger-state.js';
import { proofBundle } from '../records/proof-bundle.js';
import { route } from '../route.js';
import { auditing } from './policy-documents.js';

export const tokenRoutes = {
  getToken: route({
    method: 'GET',
    path: '/policies/{policyId}/tokens/{tokenId}',
    summary: 'Reads a token of a policy with its mint totals. For its owner and for auditors.',
    ...auditing,
    params: { policyId, tokenId },
    query: { kind: 'none' },
    body: { kind: 'none' },
    answers: { 200: { description: 'The token.', schema: tokenSummary }, ...refused(400, 404) },
  }),
  listBalances: route({
    method: 'GET',
    path: '/policies/{policyId}/tokens/{tokenId}/balances',
    summary: 'Lists the accounts associated with a token of a policy. For its owner and for auditors.',
    ...auditing,
    params: { policyId, tokenId },
    query: { kind: 'listed', schema: boundedPageQuery },
    body: { kind: 'none' },
    answers: {
      200: { description: 'Balances.', schema: z.array(tokenBalance), headers: totalCount },
      ...refused(400, 404, 422),
    },
  }),
  getMintBundle: route({
    method: 'GET',
    path: '/policies/{policyId}/mints/{documentId}/bundle',
    summary: 'Returns everything needed to verify a mint, named by its presentation, without this instance.',
    ...auditing,
    params: { policyId, documentId },
    query: { kind: 'listed', schema: bundleQuery },
    body: { kind: 'none' },
    answers: { 200: { description: 'The bundle.', schema: proofBundle }, ...refused(400, 404, 409, 413, 422) },
  }),
  listLedger: route({
    method: 'GET',
    path: '/policies/{policyId}/ledger',
    summary: 'Lists the ledger effects of a policy that match all filters, oldest first.',
    ...auditing,
    params: { policyId },
    query: {
      kind: 'listed',
      schema: boundedPageQuery.extend({
        type: effectType.optional(),
        tokenId: z.string().optional(),
        accountId: z.string().optional().describe('The account concerned, or the sender of a transfer.'),
      }),
    },
    body: { kind: 'none' },
    answers: {
      200: { description: 'Effects.', schema: z.array(ledgerEffect), headers: totalCount },
      ...refused(400, 404, 413, 422),
    },
  }),
  compareLedger: route({
    method: 'GET',
    path: '/policies/{policyId}/ledger/comparison',
    summary:
      'Compares the book of a policy with the external ledger. Effects that wait are left out. For its owner and for auditors.',
    ...auditing,
    params: { policyId },
    query: { kind: 'none' },
    body: { kind: 'none' },
    answers: { 200: { description: 'The differences.', schema: ledgerComparison }, ...refused(400, 404, 409) },
  }),
} as const;
