/** Reads a folder consistently while another process may be writing it. */
import { explain, unavailable } from '../files/failures.js';
import type { FileSystem } from '../files/file-system.js';
import { layoutOf } from '../files/layout.js';
import { Manifest } from './manifest.js';

/** A busy store replaces its files; each replacement costs an attempt. */
const maxAttempts = 20;

/**
 * Runs a task with the manifest. If the task fails or is uncertain, and the manifest has changed meanwhile, runs it again.
 */
export async function withStableManifest<T>(
  files: FileSystem,
  folder: string,
  task: (manifest: Manifest, text: Buffer) => Promise<{ value: T; isCertain: boolean }>,
): Promise<T> {
  const path = layoutOf(folder).manifest;
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const text = await readManifest(files, path);
    const manifest = new Manifest(files, path);
    manifest.parse(text);
    const outcome = await task(manifest, text).catch((error: unknown) => ({ error, isCertain: false as const }));
    if (!outcome.isCertain && !text.equals(await readManifest(files, path))) continue;
    if ('error' in outcome) throw outcome.error;
    return outcome.value;
  }
  throw unavailable(`${folder} changes faster than it can be read. Try again when it is less busy`);
}

async function readManifest(files: FileSystem, path: string): Promise<Buffer> {
  try {
    const text = await files.read(path);
    if (text !== undefined) return text;
  } catch (error) {
    throw unavailable(explain(error), error);
  }
  throw unavailable(`${path} is missing: the folder is not a store, or has lost that file`);
}
