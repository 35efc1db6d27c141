/** Replaces a file atomically: it holds either the old or the new content. */
import type { FileSystem } from './file-system.js';

/**
 * Writes and flushes a temporary file, then renames it. The caller flushes the folder, once for all files replaced in
 * it; before that, a power cut may bring the old content back. Resolves with the number of bytes.
 */
export async function replaceFile(files: FileSystem, path: string, slices: Iterable<Uint8Array>): Promise<number> {
  const temporary = `${path}.tmp`;
  try {
    const written = await writeFile(files, temporary, slices);
    await files.rename(temporary, path);
    return written;
  } catch (error) {
    // If this fails too, the next opening removes the file.
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
