/** A hash of all files of a disk; disks with the same hash look the same to a process. */
import { createHash } from 'node:crypto';
import type { SimulatedDisk } from '@blockwork/testing';

export const fingerprint = (disk: SimulatedDisk): string => {
  const hash = createHash('sha1');
  for (const path of disk.paths) {
    const content = disk.contentOf(path);
    hash.update(`${path} ${content.length}\n`).update(content);
  }
  return hash.digest('base64');
};

/** Memoizes `look` by the files of the disk. `look` may change the disk. */
export function oncePerContent<T>(look: (disk: SimulatedDisk) => Promise<T>): (disk: SimulatedDisk) => Promise<T> {
  const results = new Map<string, Promise<T>>();
  return (disk) => {
    const files = fingerprint(disk);
    const result = results.get(files) ?? look(disk);
    results.set(files, result);
    return result;
  };
}
