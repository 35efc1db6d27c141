/** Routes that read the journal of a policy, and its log: below `/policies/{policyId}/log`, it is laid out as C2SP `tlog-tiles` says. */
import { z } from 'zod';
import { refused, totalCount } from '../answers.js';
import { OCTETS, TEXT } from '../file-types.js';
import { journalEntryId, logSize, logTile, policyId } from '../parameter.js';
import { boundedPageQuery, first, identity } from '../query-parameters.js';
import { causeTypes, journalEntry } from '../records/journal.js';
import { logCheckpoint, logConsistency, logProof } from '../records/journal-log.js';
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

const name = { 'Content-Disposition': z.string().describe('A file name.') };

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
  proveJournalEntry: route({
    method: 'GET',
    path: '/policies/{policyId}/journal/{entryId}/proof',
    summary: 'Proves that an entry is in the log of the journal, without its content.',
    permission: 'POLICIES_POLICY_READ',
    params: { policyId, entryId: journalEntryId },
    query: { kind: 'none' },
    body: { kind: 'none' },
    answers: { 200: { description: 'The proof.', schema: logProof }, ...refused(400, 404, 409) },
  }),
  readLog: route({
    method: 'GET',
    path: '/policies/{policyId}/log',
    summary: "Reads the checkpoint of a journal's log, with the key that signed it.",
    permission: 'POLICIES_POLICY_READ',
    params: { policyId },
    query: { kind: 'none' },
    body: { kind: 'none' },
    answers: { 200: { description: 'The checkpoint.', schema: logCheckpoint }, ...refused(400, 404, 409) },
  }),
  readLogCheckpoint: route({
    method: 'GET',
    path: '/policies/{policyId}/log/checkpoint',
    summary: "Reads the checkpoint of a journal's log as a signed note.",
    permission: 'POLICIES_POLICY_READ',
    params: { policyId },
    query: { kind: 'none' },
    body: { kind: 'none' },
    answers: {
      200: { description: 'The note.', mediaType: TEXT, schema: z.string(), headers: name },
      ...refused(400, 404, 409),
    },
  }),
  proveLogContinues: route({
    method: 'GET',
    path: '/policies/{policyId}/log/consistency/{logSize}',
    summary: 'Proves that the log continues the one with so many entries, of which somebody kept the checkpoint.',
    permission: 'POLICIES_POLICY_READ',
    params: { policyId, logSize },
    query: { kind: 'none' },
    body: { kind: 'none' },
    answers: { 200: { description: 'The proof.', schema: logConsistency }, ...refused(400, 404, 409) },
  }),
  readLogTile: route({
    method: 'GET',
    path: '/policies/{policyId}/log/tile/{tile}',
    summary: "Reads a tile of a journal's log.",
    permission: 'POLICIES_POLICY_READ',
    params: { policyId, tile: logTile },
    query: { kind: 'none' },
    body: { kind: 'none' },
    answers: {
      200: {
        description: 'Hashes of 32 bytes each; for `entries` leaves, each after its length in two bytes.',
        mediaType: OCTETS,
        schema: z.string(),
        headers: name,
      },
      ...refused(400, 404),
    },
  }),
} as const;
