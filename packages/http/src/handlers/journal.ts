/** Handlers of the routes that read the journal. */
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
};
