/** Brings a store that is damaged back into service, as far as that is possible. */
import { openFolder } from '../store/open-lowdb-store.js';
import type { OpenReport } from '../recovery/open-report.js';
import { folderOption } from '../files/folder-option.js';
import { type ToolOptions } from './tool-options.js';

export interface RepairOptions extends ToolOptions {
  /**
   * Gives up what cannot be read: the damaged files go to the quarantine, and every table is served with what the
   * others say. Where `store.json` is lost, it is made anew from the other files.
   */
  readonly acceptLoss?: boolean;
}

/**
 * Opens the store, which mends what can be mended without loss: a torn end is cut off, and damaged files in whose place
 * somebody has put a good copy are served again. Gives what is still damaged, or was given up.
 *
 * Rejects with `STORE_LOCKED` while a process has the store open, and with `STORE_UNAVAILABLE` where nothing but
 * accepting a loss can help.
 */
export async function repairStore({ acceptLoss = false, ...options }: RepairOptions): Promise<OpenReport> {
  const folder = folderOption('folder', options.folder);
  const store = await openFolder({ ...options, folder }, { acceptsLoss: acceptLoss, mustExist: true });
  await store.close();
  return store.report;
}
