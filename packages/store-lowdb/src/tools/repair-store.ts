/** Brings a damaged store back into service as far as possible. */
import { demandObject } from '@blockwork/core/adapter';
import { folderOption } from '../files/folder-option.js';
import type { OpenReport } from '../recovery/open-report.js';
import { openFolder } from '../store/open-lowdb-store.js';
import type { ToolOptions } from './tool-options.js';

export interface RepairOptions extends ToolOptions {
  /**
   * Gives up unreadable data: damaged files are moved to the quarantine, and every table becomes available with what is
   * left. A lost `store.json` is rebuilt from the other files. The report names every file, commit and, where legible,
   * record that was given up.
   */
  readonly acceptLoss?: boolean;
}

/**
 * Opens the store, which repairs what is possible without loss: removes an incomplete end of the journal, and reads
 * damaged files that were restored. Resolves to what is still damaged, or was given up.
 *
 * Nothing is deleted but what the store itself has replaced: files that nothing lists go to the quarantine, too.
 *
 * Rejects with `STORE_LOCKED` while a process has the store open, and with `STORE_UNAVAILABLE` if only accepting loss can
 * help.
 */
export async function repairStore(options: RepairOptions): Promise<OpenReport> {
  demandObject(options, 'repairStore', 'options', 'a folder');
  const { acceptLoss = false, ...rest } = options;
  const folder = folderOption('folder', rest.folder);
  const mode = { acceptsLoss: acceptLoss, mustExist: true, keepsAll: true };
  const store = await openFolder({ ...rest, folder }, mode);
  await store.close();
  return store.report;
}
