/** Watches a folder of policies while somebody works on them. */
import { watch } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isPolicyFile } from '../policies/policy-folder.js';
import { reloadPolicy, type Watched } from './reload-policy.js';

/** Editors write a file in several steps; what they notify of within this time is one change. */
const SETTLED_MS = 100;

export interface Watch {
  /** Waits for a reload under way. */
  close(): Promise<void>;
}

/** Reloads the files that differ from the policies loaded from them, now and whenever one is saved; `say` hears of each. */
export async function watchPolicies(watched: Watched, say: (text: string) => void): Promise<Watch> {
  const { folder } = watched;
  const waiting = new Map<string, NodeJS.Timeout>();
  let reloads = Promise.resolve();
  let isClosed = false;

  // One after another: each compares with what the one before left behind.
  const reload = (file: string): Promise<void> => {
    reloads = reloads.then(async () => {
      if (isClosed) return;
      const said = await outcome(watched, file);
      if (said !== undefined) say(said);
    });
    return reloads;
  };
  const changed = (_event: string, name: string | null): void => {
    if (name === null || !isWatched(name)) return;
    clearTimeout(waiting.get(name));
    waiting.set(
      name,
      setTimeout(() => {
        waiting.delete(name);
        void reload(name);
      }, SETTLED_MS),
    );
  };
  const watcher = watch(folder, changed);
  watcher.on('error', (error) => say(`The folder ${folder} is not watched any more: ${error.message}`));
  for (const file of (await readdir(folder)).filter(isPolicyFile).sort()) await reload(file);
  return {
    async close() {
      isClosed = true;
      watcher.close();
      for (const timer of waiting.values()) clearTimeout(timer);
      await reloads;
    },
  };
}

const DOCUMENTS = '.documents.json';

const isWatched = (name: string): boolean => isPolicyFile(name) || name.endsWith(DOCUMENTS);

/** A failure is one of the file, which the next change may mend. */
async function outcome(watched: Watched, file: string): Promise<string | undefined> {
  try {
    if (file.endsWith(DOCUMENTS)) {
      return `${file}: changed. Documents come with a policy when it is loaded first; those of the policy stay as they are.`;
    }
    if (await isGone(join(watched.folder, file))) return `${file}: gone. The policy stays until it is deleted.`;
    return await reloadPolicy(watched, file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `${file}: not reloaded, the policy goes on as it was: ${reason}`;
  }
}

const isGone = (path: string): Promise<boolean> =>
  stat(path).then(
    () => false,
    (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT',
  );
