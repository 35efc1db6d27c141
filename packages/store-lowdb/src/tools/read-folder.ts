/** Reads what a folder holds at one moment, while a process may have it open. Changes nothing. */
import { explain, unavailable } from '../failures.js';
import type { FileSystem } from '../file-system.js';
import { layoutOf } from '../layout.js';
import { Manifest } from '../manifest.js';
import { recover } from '../recover.js';
import type { Recovered } from '../recovered.js';

/** Only for how the records are held in memory meanwhile. */
const partBytes = 2 ** 19;
/** A store that is being written replaces its files; what was read of the old ones is then read again. */
const attempts = 20;

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

/**
 * Runs a task with what the manifest says, and again when the manifest has changed by the time that the task failed or
 * became uncertain.
 */
export async function whileUnchanged<T>(
  files: FileSystem,
  folder: string,
  task: (manifest: Manifest, text: Buffer) => Promise<{ value: T; isCertain: boolean }>,
): Promise<T> {
  const path = layoutOf(folder).manifest;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const text = await manifestText(files, path);
    const manifest = new Manifest(files, path);
    manifest.parse(text);
    const outcome = await task(manifest, text).catch((error: unknown) => ({ error, isCertain: false as const }));
    if (!outcome.isCertain && !text.equals(await manifestText(files, path))) continue;
    if ('error' in outcome) throw outcome.error;
    return outcome.value;
  }
  throw unavailable(`${folder} is being written faster than it can be read. Try again when there is less to do`);
}

async function manifestText(files: FileSystem, path: string): Promise<Buffer> {
  try {
    const text = await files.read(path);
    if (text !== undefined) return text;
  } catch (error) {
    throw unavailable(explain(error), error);
  }
  throw unavailable(`${path} is missing: this is not the folder of a store, or it has lost that file`);
}
