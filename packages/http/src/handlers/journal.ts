/** Handlers of the routes that read the journal and its log. */
import { OCTETS, TEXT } from '@blockwork/contract/file-types';
import type { HandlersOf, RoutesOf } from './call.js';
import { ok, okPage, rangeOf } from './replies.js';

export const journalHandlers: HandlersOf<RoutesOf<'Journal'>> = {
  readJournal: async ({ engine, caller, params, query: { pageIndex, pageSize, failed, ...filter } }) =>
    okPage(
      await engine.journal.list(caller, params.policyId, {
        ...filter,
        failed: failed === 'true',
        ...rangeOf({ pageIndex, pageSize }),
      }),
    ),
  readJournalEntry: async ({ engine, caller, params: { policyId, entryId } }) =>
    ok(await engine.journal.get(caller, policyId, entryId)),
  proveJournalEntry: async ({ engine, caller, params: { policyId, entryId } }) =>
    ok(await engine.journalLog.proof(caller, policyId, entryId)),
  readLog: async ({ engine, caller, params: { policyId } }) => ok(await engine.journalLog.checkpoint(caller, policyId)),
  readLogCheckpoint: async ({ engine, caller, params: { policyId } }) => {
    const { note } = await engine.journalLog.checkpoint(caller, policyId);
    return { status: 200, file: { name: 'checkpoint', type: TEXT, content: Buffer.from(note) } };
  },
  proveLogContinues: async ({ engine, caller, params: { policyId, logSize } }) =>
    ok(await engine.journalLog.consistency(caller, policyId, Number(logSize))),
  readLogTile: async ({ engine, caller, params: { policyId, tile } }) => {
    const content = await engine.journalLog.tile(caller, policyId, `tile/${tile}`);
    return { status: 200, file: { name: tile.replaceAll('/', '-'), type: OCTETS, content } };
  },
};
