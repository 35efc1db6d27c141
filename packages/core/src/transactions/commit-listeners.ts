/** Commit listeners, which act on what was written once it is durable. */
import type { ChangeSet } from '../ports/index.js';
import type { RemoteRequest } from '../records/index.js';

export interface CommitListener {
  /** Called after each commit of this engine, in the order of the commits. Must neither wait nor throw. */
  committed(changeSet: ChangeSet): void;
}

/** All listeners, as one. */
export class CommitListeners implements CommitListener {
  readonly #listeners: CommitListener[] = [];

  /** Listeners are called in the order of registration. */
  register(...listeners: readonly CommitListener[]): void {
    this.#listeners.push(...listeners);
  }

  committed(changeSet: ChangeSet): void {
    for (const listener of this.#listeners) listener.committed(changeSet);
  }
}

/** The request rows that a change set wrote. */
export const requestsIn = ({ changes }: ChangeSet): RemoteRequest[] =>
  changes.flatMap((change) => (change.kind === 'request' && change.op === 'put' ? [change.value] : []));
