/** Rebuilds the state of a store from its files, without changing them. */
import type { FileSystem } from '../files/file-system.js';
import type { Layout } from '../files/layout.js';
import type { Manifest } from '../manifest/manifest.js';
import { nameGivenUpRecords } from './given-up-records.js';
import { JournalReplay } from './journal-replay.js';
import { loadRevisions, loadSnapshots } from './load-snapshots.js';
import { RecoveredState, type RecoveryOptions } from './recovered-state.js';

/** Rejects with `STORE_UNAVAILABLE` if it is unknown what was lost, unless loss is accepted. */
export async function recover(
  files: FileSystem,
  layout: Layout,
  manifest: Manifest,
  options: RecoveryOptions,
): Promise<{ state: RecoveredState; replay: JournalReplay }> {
  const state = new RecoveredState(manifest, layout, options);
  await loadSnapshots(files, layout, state);
  await loadRevisions(files, layout, state);
  const replay = new JournalReplay(files, layout, state);
  await replay.run();
  state.regenerateRevisions();
  if (options.acceptsLoss) await nameGivenUpRecords(files, layout, state);
  for (const { partition, kind } of state.snapshots.tables())
    if (!state.isIntact(partition, kind)) state.snapshots.forget(partition, kind);
  return { state, replay };
}
