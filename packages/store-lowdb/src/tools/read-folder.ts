/** Reads what a folder holds at one moment, while a process may have it open. Changes nothing. */
import type { FileSystem } from '../files/file-system.js';
import { layoutOf } from '../files/layout.js';
import type { Manifest } from '../manifest/manifest.js';
import { whileUnchanged } from '../manifest/while-unchanged.js';
import { recover } from '../recovery/recover.js';
import type { Recovered } from '../recovery/recovered.js';

/** Only for how the records are held in memory meanwhile. */
const partBytes = 2 ** 19;

export interface FolderContent {
  readonly manifest: Manifest;
  readonly recovered: Recovered;
}

/** Rejects with `STORE_UNAVAILABLE`, naming the file, where the store could not be opened either. */
export async function readFolder(files: FileSystem, folder: string): Promise<FolderContent> {
  return whileUnchanged(files, folder, async (manifest) => {
    const { recovered } = await recover(files, layoutOf(folder), manifest, { partBytes });
    // Damaged may be what was only replaced meanwhile.
    return { value: { manifest, recovered }, isCertain: recovered.damage.length === 0 };
  });
}
