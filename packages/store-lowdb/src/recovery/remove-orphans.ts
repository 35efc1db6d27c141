/** Clears away what an interrupted process left behind. */
import { join } from 'node:path';
import type { FileSystem } from '../files/file-system.js';
import { versionIn, type Layout } from '../files/layout.js';
import type { Quarantine } from '../files/quarantine.js';
import type { Recovered } from './recovered.js';
import { segmentHeader } from '../journal/segment-reader.js';

/** Removes only what is surely held elsewhere; other files that the manifest does not name go to the quarantine. */
export async function tidy(
  files: FileSystem,
  layout: Layout,
  recovered: Recovered,
  quarantine: Quarantine,
): Promise<void> {
  const { manifest } = recovered;
  for (const folder of [layout.folder, layout.snapshots, layout.journal]) {
    for (const name of await files.list(folder)) if (name.endsWith('.tmp')) await files.remove(join(folder, name));
  }

  const segments = new Set(manifest.segments.map(({ file }) => file));
  for (const name of await files.list(layout.journal)) {
    const path = join(layout.journal, name);
    if (segments.has(name)) continue;
    // What came after a checkpoint had no time to remove the segments that it made superfluous, or to name a new one.
    const first = Number.parseInt(name, 10);
    const isEmpty = ((await files.read(path))?.length ?? 0) <= segmentHeader(first).length;
    await (first <= manifest.upTo || isEmpty ? files.remove(path) : quarantine.move(path));
  }

  const parts = new Set([...manifest.snapshots].flatMap(({ value }) => value.map(({ file }) => file)));
  for (const { file } of manifest.revisions) parts.add(file);
  for (const path of [...(await leftovers(files, layout, parts))]) {
    const upTo = versionIn(path)?.upTo ?? (await upToOfFormat1(files, path));
    await (upTo <= recovered.lastSeq ? files.remove(path) : quarantine.move(path));
  }
}

async function leftovers(files: FileSystem, layout: Layout, listed: ReadonlySet<string>): Promise<string[]> {
  const inSnapshots = (await files.list(layout.snapshots)).map((name) => `snapshots/${name}`);
  const besides = (await files.list(layout.folder)).filter((name) => name === 'revisions.json');
  return [...inSnapshots, ...besides].filter((name) => !listed.has(name)).map((name) => join(layout.folder, name));
}

/** What its first line says. */
async function upToOfFormat1(files: FileSystem, path: string): Promise<number> {
  const head = (await files.read(path))?.toString('utf8', 0, 2000) ?? '';
  const upTo = /^\{"format":1,"partition":.*"upTo":(\d+),"count":\d+,$/m.exec(head.split('\n')[0] ?? '')?.[1];
  return upTo === undefined ? Infinity : Number(upTo);
}
