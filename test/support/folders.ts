/** Temporary folders, removed when the test file ends. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** Call once at the top of a test file; the returned function creates an empty folder. */
export function temporaryFolders(): () => Promise<string> {
  const created: string[] = [];
  afterAll(async () => {
    for (const folder of created) await rm(folder, { recursive: true, force: true });
  });
  return async () => {
    const folder = await mkdtemp(join(tmpdir(), 'blockwork-test-'));
    created.push(folder);
    return folder;
  };
}
