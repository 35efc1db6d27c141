/** Routes that read the journal of a policy. */
import { z } from 'zod';
import { refused, totalCount } from '../answers.js';
import { journalEntryId, policyId } from '../parameter.js';
import { boundedPageQuery, first, identity } from '../query-parameters.js';
import { causeTypes, journalEntry } from '../records/journal.js';
import { route } from '../route.js';

const filter = boundedPageQuery.extend({
  cause: z.enum(causeTypes).optional().describe('Units of work with this cause.'),
  tag: z
    .string()
    .optional()
    .describe('Units that started at this block, or in which it sent or received an event or failed.'),
  did: identity.optional().describe('Units caused by this identity, or that acted on its behalf.'),
  documentId: z.string().optional().describe('Units that added, changed or removed this document.'),
  failed: z.enum(['true', 'false']).optional().describe('`true`: units in which a block failed.'),
  from: first,
});

export const journalRoutes = {
  readJournal: route({
    method: 'GET',
    path: '/policies/{policyId}/journal',
    summary: 'Lists the units of work of a policy that match all filters, always paged. For its owner only.',
    permission: 'POLICIES_POLICY_MANAGE',
    params: { policyId },
    query: { kind: 'listed', schema: filter },
    body: { kind: 'none' },
    answers: {
      200: { description: 'Journal entries.', schema: z.array(journalEntry), headers: totalCount },
      ...refused(400, 404, 413, 422),
    },
  }),
  readJournalEntry: route({
    method: 'GET',
    path: '/policies/{policyId}/journal/{entryId}',
    summary: 'Reads one unit of work of a policy, including archived ones. For its owner only.',
    permission: 'POLICIES_POLICY_MANAGE',
    params: { policyId, entryId: journalEntryId },
    query: { kind: 'none' },
    body: { kind: 'none' },
    answers: { 200: { description: 'The journal entry.', schema: journalEntry }, ...refused(400, 404) },
  }),
} as const;
