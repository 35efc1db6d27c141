/** Reads a folder that a process may be writing meanwhile. */
import { explain, unavailable } from '../files/failures.js';
import type { FileSystem } from '../files/file-system.js';
import { layoutOf } from '../files/layout.js';
import { Manifest } from './manifest.js';

/** A store that is being written replaces its files; what was read of the old ones is then read again. */
const attempts = 20;

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
