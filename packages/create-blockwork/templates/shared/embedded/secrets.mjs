/** Secrets that are made at the first start and kept in a folder that only the user of this process can read. */
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** 32 random bytes in base64url, the same at each start. Never written over: everything signed with them would be lost. */
export async function storedSecret(folder, name) {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, name);
  try {
    await writeFile(file, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600, flush: true });
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  return readFile(file, 'utf8');
}
