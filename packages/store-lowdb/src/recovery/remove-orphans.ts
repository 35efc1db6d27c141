/** Removes files that an interrupted process left behind. */
import { join } from 'node:path';
import type { FileSystem } from '../files/file-system.js';
import { versionIn, type Layout } from '../files/layout.js';
import type { Quarantine } from '../files/quarantine.js';
import { segmentHeader, withoutReserve } from '../journal/segment-reader.js';
import type { RecoveredState } from './recovered-state.js';

/** Unlisted files that may hold data stored nowhere else are moved to the quarantine instead. */
export async function removeOrphans(
  files: FileSystem,
  layout: Layout,
  state: RecoveredState,
  quarantine: Quarantine,
): Promise<void> {
  await removeTemporaryFiles(files, layout, quarantine);
  await removeSegments(files, layout, state, quarantine);
  await removeSnapshots(files, layout, state, quarantine);
}

async function removeTemporaryFiles(files: FileSystem, layout: Layout, quarantine: Quarantine): Promise<void> {
  for (const folder of [layout.folder, layout.snapshots, layout.journal]) {
    for (const name of await files.list(folder))
      if (name.endsWith('.tmp')) await quarantine.discard(join(folder, name));
  }
}

async function removeSegments(
  files: FileSystem,
  layout: Layout,
  { manifest }: RecoveredState,
  quarantine: Quarantine,
): Promise<void> {
  const listed = new Set(manifest.segments.map(({ file }) => file));
  for (const name of await files.list(layout.journal)) {
    if (listed.has(name)) continue;
    // Either a checkpoint replaced it, or it is new and not listed yet.
    const path = join(layout.journal, name);
    const first = Number.parseInt(name, 10);
    const content = withoutReserve((await files.read(path)) ?? Buffer.alloc(0));
    const isEmpty = content.length <= segmentHeader(first).length;
    await (first <= manifest.upTo || isEmpty ? quarantine.discard(path) : quarantine.move(path));
  }
}

async function removeSnapshots(
  files: FileSystem,
  layout: Layout,
  { manifest, lastSeq }: RecoveredState,
  quarantine: Quarantine,
): Promise<void> {
  const listed = new Set([...manifest.snapshots].flatMap(({ value }) => value.map(({ file }) => file)));
  for (const { file } of manifest.revisions) listed.add(file);
  const inSnapshots = (await files.list(layout.snapshots)).map((name) => `snapshots/${name}`);
  const ofFormat1 = (await files.list(layout.folder)).filter((name) => name === 'revisions.json');
  for (const name of [...inSnapshots, ...ofFormat1]) {
    if (listed.has(name)) continue;
    const path = join(layout.folder, name);
    const upTo = versionIn(path)?.upTo ?? (await upToOfFormat1(files, path));
    await (upTo <= lastSeq ? quarantine.discard(path) : quarantine.move(path));
  }
}

/** Read from the first line of the file. */
async function upToOfFormat1(files: FileSystem, path: string): Promise<number> {
  const head = (await files.read(path))?.toString('utf8', 0, 2000) ?? '';
  const upTo = /^\{"format":1,"partition":.*"upTo":(\d+),"count":\d+,$/m.exec(head.split('\n')[0] ?? '')?.[1];
  return upTo === undefined ? Infinity : Number(upTo);
}
