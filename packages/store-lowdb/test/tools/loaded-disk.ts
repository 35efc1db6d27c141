/** A simulated disk with what a real folder holds. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SimulatedDisk } from '@blockwork/testing';

/** The files of the folder `from`, below `/store`. */
export async function loadedDisk(from: string): Promise<SimulatedDisk> {
  const disk = new SimulatedDisk();
  const entries = await readdir(from, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    disk.put(join('/store', path.slice(from.length)), await readFile(path));
  }
  // What lies in a folder for long has been flushed.
  return disk.copy();
}
