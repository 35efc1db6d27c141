/** The texts of the journal, in English. */
import { countText } from '../ui/format.js';

export const journalTexts = {
  title: 'Journal',
  empty: 'Nothing has happened yet.',
  ownerOnly: 'Only the owner of the policy can read its journal.',
  newest: 'Newest first',
  way: 'Show path',
  causes: {
    send: (who: string): string => `${who} sent data to`,
    external: (who: string): string => `External data of ${who} for`,
    importer: 'Documents were imported',
    tick: 'Timer of',
    retry: (attempt: number): string => `Retry ${countText(attempt)} of`,
    lifecycle: (what: string, who: string): string => `${who} ${what}`,
    retention: 'Older entries were archived',
    witness: (size: number): string => `A checkpoint of ${countText(size)} entries was sent to the ledger`,
  },
  actions: {
    edit: 'edited the draft',
    replace: 'replaced the draft',
    'dry-run': 'started a dry run',
    restart: 'restarted the dry run',
    record: 'restarted the dry run to record it',
    'stop recording': 'stopped the recording',
    savepoint: 'saved the state of the dry run',
    restore: 'restored a savepoint',
    'delete a savepoint': 'deleted a savepoint',
    'add a user': 'added a person to the dry run',
    draft: 'went back to the draft',
    publish: 'published the policy',
    discontinue: 'discontinued the policy',
  } as Readonly<Record<string, string>>,
  otherAction: (action: string): string => `did “${action}”`,
  events: (count: number): string => (count === 1 ? '1 event' : `${countText(count)} events`),
  documents: (added: number, changed: number, removed: number): string =>
    [
      ...(added === 0 ? [] : [`${countText(added)} added`]),
      ...(changed === 0 ? [] : [`${countText(changed)} changed`]),
      ...(removed === 0 ? [] : [`${countText(removed)} removed`]),
    ].join(', '),
  effects: (count: number): string => (count === 1 ? '1 ledger effect' : `${countText(count)} ledger effects`),
  failuresOnly: 'Only with failures',
  filterTag: 'Block tag',
  filterPerson: 'DID of a person',
  warnings: 'Warnings',
};
