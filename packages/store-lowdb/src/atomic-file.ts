/** Replaces a file so that it always holds either the old or the new content, whole. */
import type { FileSystem } from './file-system.js';

const sliceSize = 256 * 1024;

/**
 * Writes under another name first. The caller flushes the folder afterwards, once for all the files replaced in
 * it; until then a power cut may bring the old content back.
 */
export async function replaceFile(files: FileSystem, path: string, parts: Iterable<string>): Promise<number> {
  const temporary = `${path}.tmp`;
  const file = await files.create(temporary);
  let written = 0;
  try {
    // In slices, so that reads are answered while a large file is written.
    for (const slice of slices(parts)) {
      await file.write(slice);
      written += slice.length;
    }
    await file.sync();
  } finally {
    await file.close();
  }
  await files.rename(temporary, path);
  return written;
}

function* slices(parts: Iterable<string>): Iterable<Buffer> {
  let slice: string[] = [];
  let length = 0;
  for (const part of parts) {
    slice.push(part);
    length += part.length;
    if (length < sliceSize) continue;
    yield Buffer.from(slice.join(''));
    slice = [];
    length = 0;
  }
  if (length > 0) yield Buffer.from(slice.join(''));
}
