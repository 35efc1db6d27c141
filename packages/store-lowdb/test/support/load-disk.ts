/** Copies a real folder to a simulated disk. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SimulatedDisk } from '@blockwork/testing';

/** Puts the files of `from` below `/store`, all flushed. */
export async function loadDisk(from: string): Promise<SimulatedDisk> {
  const disk = new SimulatedDisk();
  const entries = await readdir(from, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    disk.put(join('/store', path.slice(from.length)), await readFile(path));
  }
  return disk.copy();
}
