/** Clears away what an interrupted process left behind. */
import { join } from 'node:path';
import type { FileSystem } from './file-system.js';
import { snapshotName, type Layout } from './layout.js';
import type { Manifest } from './manifest.js';
import type { Quarantine } from './quarantine.js';
import type { Recovered } from './recovered.js';
import { segmentHeader } from './segment-reader.js';

/** Removes only what is surely held elsewhere; other files that the manifest does not name go to the quarantine. */
export async function tidy(
  files: FileSystem,
  layout: Layout,
  manifest: Manifest,
  into: Recovered,
  quarantine: Quarantine,
): Promise<void> {
  for (const folder of [layout.folder, layout.snapshots, layout.journal]) {
    for (const name of await files.list(folder)) if (name.endsWith('.tmp')) await files.remove(join(folder, name));
  }

  const listed = new Set(manifest.segments.map(({ file }) => file));
  for (const name of await files.list(layout.journal)) {
    const path = join(layout.journal, name);
    if (listed.has(name)) continue;
    // What came after a checkpoint had no time to remove the segments that it made superfluous, or to name a new one.
    const first = Number.parseInt(name, 10);
    const isEmpty = ((await files.read(path))?.length ?? 0) <= segmentHeader(first).length;
    await (first <= manifest.upTo || isEmpty ? files.remove(path) : quarantine.move(path));
  }

  const known = new Set([...manifest.snapshots].map(({ value }) => value.file));
  const coming = new Set([...into.dirty].map(({ partition, kind }) => snapshotName(partition, kind)));
  for (const name of await files.list(layout.snapshots)) {
    // What a table with records is called will be overwritten by its next snapshot.
    if (!known.has(name) && !coming.has(name)) await quarantine.move(join(layout.snapshots, name));
  }
}
