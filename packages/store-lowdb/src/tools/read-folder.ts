/** Reads the content of a folder at one moment, even while a process has it open. Changes nothing. */
import type { FileSystem } from '../files/file-system.js';
import { layoutOf } from '../files/layout.js';
import type { Manifest } from '../manifest/manifest.js';
import { withStableManifest } from '../manifest/with-stable-manifest.js';
import { recover } from '../recovery/recover.js';
import type { RecoveredState } from '../recovery/recovered-state.js';

/** Has no effect on the result, since nothing is written. */
const partBytes = 2 ** 19;

export interface FolderContent {
  readonly manifest: Manifest;
  readonly state: RecoveredState;
}

/** Rejects with `STORE_UNAVAILABLE`, naming the file, where opening would. */
export async function readFolder(files: FileSystem, folder: string): Promise<FolderContent> {
  return withStableManifest(files, folder, async (manifest) => {
    const { state } = await recover(files, layoutOf(folder), manifest, {
      partBytes,
      acceptsLoss: false,
      keepsHistory: true,
    });
    // What looks like damage may be a file that was replaced meanwhile.
    return { value: { manifest, state }, isCertain: state.damage.length === 0 };
  });
}
