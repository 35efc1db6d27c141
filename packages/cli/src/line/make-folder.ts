/** A folder with all folders above it, open to whom the umask says. */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** The topmost missing folder is made alone: Node's recursion never ends where none can be made, as in `/proc`. */
export async function makeFolder(folder: string): Promise<void> {
  let missing: string | undefined;
  for (let path = resolve(folder); !existsSync(path); path = dirname(path)) missing = path;
  if (missing !== undefined) await mkdir(missing);
  await mkdir(folder, { recursive: true });
}
