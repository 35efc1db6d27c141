/** What tells the files of one disk from those of another: what a process finds on it depends on nothing else. */
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

/** Looks once at each content of a disk: disks with equal files have the same answer. `look` may change the disk that it is given. */
export function oncePerContent<T>(look: (disk: SimulatedDisk) => Promise<T>): (disk: SimulatedDisk) => Promise<T> {
  const known = new Map<string, Promise<T>>();
  return (disk) => {
    const files = fingerprint(disk);
    const found = known.get(files) ?? look(disk);
    known.set(files, found);
    return found;
  };
}
