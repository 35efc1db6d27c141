/** Replaces a file so that it always holds either the old or the new content, whole. */
import type { FileSystem } from './file-system.js';

/**
 * Writes under another name first, and flushes that. The caller flushes the folder afterwards, once for all the files
 * replaced in it; until then a power cut may bring the old content back. Gives the number of bytes.
 */
export async function replaceFile(files: FileSystem, path: string, slices: Iterable<Uint8Array>): Promise<number> {
  const temporary = `${path}.tmp`;
  try {
    const written = await writeFile(files, temporary, slices);
    await files.rename(temporary, path);
    return written;
  } catch (error) {
    // What cannot be removed now is removed when the store is opened.
    await files.remove(temporary).catch(() => undefined);
    throw error;
  }
}

async function writeFile(files: FileSystem, path: string, slices: Iterable<Uint8Array>): Promise<number> {
  const file = await files.create(path);
  let written = 0;
  try {
    for (const slice of slices) {
      await file.write(slice);
      written += slice.length;
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return written;
}
