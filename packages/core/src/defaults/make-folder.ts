/** Creates a folder and its missing parents. */
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Created folders are accessible to their owner only. Creates them one at a time, because Node's recursive mkdir never
 * returns in `/proc` and reports a read-only file system as a missing folder.
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (await isFolder(path)) return;
    const parent = dirname(path);
    if (codeOf(error) !== 'ENOENT' || parent === path) throw error;
    // Others may have created either of them meanwhile.
    if (!(await isFolder(parent))) await makeFolder(parent);
    await mkdir(path, { mode: 0o700 }).catch(async (failure: unknown) => {
      if (!(await isFolder(path))) throw failure;
    });
  }
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);
