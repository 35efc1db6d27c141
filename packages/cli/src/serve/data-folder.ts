/** The folder that the server keeps everything in. */
import { mkdir } from 'node:fs/promises';

/** For its owner only: it holds secrets. */
export async function ensureDataFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
}
