/** Identifies a snapshot file by its content or, if that is damaged, by its name. */
import { DamagedContent } from '../files/checksummed-json.js';
import type { FileSystem } from '../files/file-system.js';
import { holdsRevisions, partName, tableIn, versionIn } from '../files/layout.js';
import type { PartFile } from '../manifest/manifest-content.js';
import { SnapshotFile, type Snapshot } from '../snapshots/snapshot-file.js';

export interface FoundPart {
  readonly partition: string;
  readonly kind: string;
  readonly number: number;
  readonly upTo: number;
  readonly isIntact: boolean;
  readonly entry: PartFile;
}

/** `file`: the path relative to the store. `undefined` if neither content nor name tells which table it belongs to. */
export async function findPart(files: FileSystem, path: string, file: string): Promise<FoundPart | undefined> {
  const snapshot = await readIfIntact(files, path);
  if (snapshot === undefined) return findDamaged(files, path, file);
  const { partition, kind, upTo, part: number = 0, records } = snapshot;
  const entry = { file, records: records.length, bytes: 0, ...(number === 0 && { upTo }) };
  return { partition, kind, number, upTo, isIntact: true, entry };
}

async function findDamaged(files: FileSystem, path: string, file: string): Promise<FoundPart | undefined> {
  const version = versionIn(file);
  const { part: number = 0, upTo = 0 } = version ?? {};
  const table = holdsRevisions(file) ? { partition: '', kind: 'revisions' } : tableIn(file);
  const { partition, kind } = table ?? headOf((await files.read(path)) ?? Buffer.alloc(0));
  if (partition === undefined || kind === undefined) return undefined;
  // A shortened name cannot be decoded, but confirms the head.
  if (table === undefined && partName(partition, kind, number, upTo) !== file) return undefined;
  const entry = { file, records: 0, bytes: 0, ...(version === undefined && { upTo }) };
  return { partition, kind, number, upTo, isIntact: false, entry };
}

function headOf(bytes: Buffer): Partial<Pick<Snapshot, 'partition' | 'kind'>> {
  const [line = ''] = bytes.toString('utf8', 0, 4096).split('\n');
  try {
    return JSON.parse(line.replace(/,?$/, '}')) as Snapshot;
  } catch {
    return {};
  }
}

async function readIfIntact(files: FileSystem, path: string): Promise<Snapshot | undefined> {
  try {
    return (await new SnapshotFile(files, path).read()) ?? undefined;
  } catch (error) {
    if (error instanceof DamagedContent) return undefined;
    throw error;
  }
}
