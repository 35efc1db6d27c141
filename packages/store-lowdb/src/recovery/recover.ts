/** Puts together what the files of a folder say, without changing any of them. */
import type { FileSystem } from '../files/file-system.js';
import type { Layout } from '../files/layout.js';
import { loadRevisions, loadSnapshots } from './load-snapshots.js';
import type { Manifest } from '../manifest/manifest.js';
import { Recovered } from './recovered.js';
import { Replay } from './replay.js';

export interface RecoverOptions {
  readonly partBytes: number;
  /** Tables are served without what is damaged. */
  readonly acceptsLoss?: boolean;
}

/** Rejects with `STORE_UNAVAILABLE` where it cannot be told what was lost, unless loss is accepted. */
export async function recover(
  files: FileSystem,
  layout: Layout,
  manifest: Manifest,
  { partBytes, acceptsLoss = false }: RecoverOptions,
): Promise<{ recovered: Recovered; replay: Replay }> {
  const recovered = new Recovered(manifest, layout, partBytes, acceptsLoss);
  await loadSnapshots(files, layout, recovered);
  await loadRevisions(files, layout, recovered);
  const replay = new Replay(files, layout, recovered);
  await replay.run();
  recovered.restartRevisions();
  for (const { partition, kind } of recovered.damaged) recovered.snapshots.forget(partition, kind);
  return { recovered, replay };
}
