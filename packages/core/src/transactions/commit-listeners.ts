/** Who wants to know of commits: everything that acts on what was written, after it is durable. */
import type { ChangeSet } from '../ports/index.js';
import type { RemoteRequest } from '../records/index.js';

export class CommitListeners {
  readonly #watchers = new Set<(changeSet: ChangeSet) => void>();

  /** Until the function that it returns is called. */
  watch(watcher: (changeSet: ChangeSet) => void): () => void {
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }

  notice(changeSet: ChangeSet): void {
    for (const watcher of this.#watchers) watcher(changeSet);
  }
}

/** The rows of requests that a change set wrote. */
export const requestsIn = ({ changes }: ChangeSet): RemoteRequest[] =>
  changes.flatMap((change) => (change.kind === 'request' && change.op === 'put' ? [change.value] : []));
