/** Creates a folder with its parents; permissions follow the umask. */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** Creates the topmost missing folder first: Node's recursive mkdir never returns where it cannot create one, as in `/proc`. */
export async function makeFolder(folder: string): Promise<void> {
  let missing: string | undefined;
  for (let path = resolve(folder); !existsSync(path); path = dirname(path)) missing = path;
  if (missing !== undefined) await mkdir(missing);
  await mkdir(folder, { recursive: true });
}
