/** Watches a folder of policies during development. */
import { watch } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isPolicyFile } from '../policies/policy-folder.js';
import { reloadPolicy, type Watched } from './reload-policy.js';

/** Debounce time in ms: editors write a file in several steps. */
const SETTLED_MS = 100;

export interface Watch {
  /** Waits for a reload in progress. */
  close(): Promise<void>;
}

/** Reloads files that differ from their policies, now and whenever one is saved, and reports each to `say`. */
export async function watchPolicies(watched: Watched, say: (text: string) => void): Promise<Watch> {
  const { folder } = watched;
  const pendingTimers = new Map<string, NodeJS.Timeout>();
  let reloads = Promise.resolve();
  let isClosed = false;

  // Sequential: each reload compares with the result of the previous one.
  const reload = (file: string): Promise<void> => {
    reloads = reloads.then(async () => {
      if (isClosed) return;
      const report = await outcome(watched, file);
      if (report !== undefined) say(report);
    });
    return reloads;
  };
  const changed = (_event: string, name: string | null): void => {
    if (name === null || !isWatched(name)) return;
    clearTimeout(pendingTimers.get(name));
    pendingTimers.set(
      name,
      setTimeout(() => {
        pendingTimers.delete(name);
        void reload(name);
      }, SETTLED_MS),
    );
  };
  const watcher = watch(folder, changed);
  watcher.on('error', (error) => say(`The folder ${folder} is no longer watched: ${error.message}`));
  for (const file of (await readdir(folder)).filter(isPolicyFile).sort()) await reload(file);
  return {
    async close() {
      isClosed = true;
      watcher.close();
      for (const timer of pendingTimers.values()) clearTimeout(timer);
      await reloads;
    },
  };
}

const DOCUMENTS = '.documents.json';

const isWatched = (name: string): boolean => isPolicyFile(name) || name.endsWith(DOCUMENTS);

/** Failures concern the file, and the next change may fix it. */
async function outcome(watched: Watched, file: string): Promise<string | undefined> {
  try {
    if (file.endsWith(DOCUMENTS)) {
      return `${file}: changed. Documents are loaded only with a new policy; those of the policy are unchanged.`;
    }
    if (await isGone(join(watched.folder, file))) return `${file}: removed. The policy is kept until it is deleted.`;
    return await reloadPolicy(watched, file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `${file}: not reloaded, the policy is unchanged: ${reason}`;
  }
}

const isGone = (path: string): Promise<boolean> =>
  stat(path).then(
    () => false,
    (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT',
  );
