/** Reads the whole journal of a policy: the entries in its archive, then those after them. */
import { demandObject } from '@blockwork/core/adapter';
import { unavailable } from '../files/failures.js';
import { folderOption } from '../files/folder-option.js';
import { readFolder } from './read-folder.js';
import { toolFiles, type ToolOptions } from './tool-options.js';

export interface ReadJournalOptions extends ToolOptions {
  readonly policyId: string;
  /** Receives each entry as a line of JSON, oldest first. */
  readonly write: (text: string) => Promise<void>;
}

/**
 * The store may be open in another process. Resolves to the number of entries. Rejects with `STORE_UNAVAILABLE` before
 * anything is written if the journal or its archive is damaged.
 */
export async function readJournal(options: ReadJournalOptions): Promise<number> {
  demandObject(options, 'readJournal', 'options', 'a folder, a policyId and write');
  const { policyId, write } = options;
  const folder = folderOption('folder', options.folder);
  const { state } = await readFolder(toolFiles(options), folder);
  for (const kind of ['journal-archive', 'journal'] as const) {
    if (!state.isIntact(policyId, kind)) throw unavailable(`the journal of ${policyId} in ${folder} is damaged`);
  }
  const archived = state.tables.values('journal-archive', policyId).flatMap(({ entries }) => entries);
  const entries = [...archived, ...state.tables.values('journal', policyId)];
  for (const entry of entries) await write(`${JSON.stringify(entry)}\n`);
  return entries.length;
}
