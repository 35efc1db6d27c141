/** Names the records that a repair gives up, as far as damaged snapshot files can still be read. */
import { basename, join } from 'node:path';
import type { FileSystem } from '../files/file-system.js';
import type { Layout } from '../files/layout.js';
import type { RecoveredState } from './recovered-state.js';

/** Records that another file or the journal still holds are not lost. */
export async function nameGivenUpRecords(files: FileSystem, layout: Layout, state: RecoveredState): Promise<void> {
  for (const { file, table } of state.damage) {
    if (table === undefined || !file.startsWith('snapshots/')) continue;
    // An earlier opening may have moved it to the quarantine. Its name is unique, since it contains the commit.
    const bytes = (await files.read(join(layout.folder, file))) ?? (await files.read(quarantinedPath(layout, file)));
    if (bytes === undefined) continue;
    const isLost = (id: string): boolean => !state.snapshots.table(table.partition, table.kind).has(id);
    state.givenUp.set(file, legibleIds(bytes).filter(isLost));
  }
}

const quarantinedPath = (layout: Layout, file: string): string => join(layout.quarantine, basename(file));

/** A record is one line, and its id is its first member of that name in all but hand-edited files. */
function legibleIds(bytes: Buffer): string[] {
  return bytes
    .toString('utf8')
    .split('\n')
    .slice(1)
    .flatMap((line) => {
      const quoted = /"id":("(?:[^"\\]|\\.)*")/.exec(line)?.[1];
      return quoted === undefined ? [] : (textIn(quoted) ?? []);
    });
}

function textIn(quoted: string): string | undefined {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return undefined;
  }
}
