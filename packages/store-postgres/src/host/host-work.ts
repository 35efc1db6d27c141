/** Writes of the embedding program in the transaction of a send. */
import { BlockworkError, type CommitWith } from '@blockwork/core';
import type { PoolClient } from 'pg';
import { isHostClient } from './host-client.js';

/** `client`: see `hostWork`. `answer`: that of the send. */
export type HostWorkOnClient = (client: PoolClient, answer: Parameters<CommitWith>[1]) => Promise<void>;

/**
 * Makes a function for the option `commitWith` of sends: what `work` writes with its client is committed together with
 * everything that the send changes, or rolled back with it. Query builders accept the client.
 *
 * It refuses statements that end the transaction with `HOST_STATEMENT_REFUSED`; savepoints are allowed. If `work`
 * rejects, the send rejects with the same error, and nothing has changed. It runs again after a serialization failure, a
 * deadlock, or a lost connection, and is ended with `HOST_WORK_TOO_LONG` after `hostWorkMs`.
 *
 * @example
 * await engine.sendToBlock(alice, policyId, { tag: 'form' }, { document, ref: null }, {
 *   commitWith: hostWork(async (client) => {
 *     await client.query('insert into orders (id) values ($1)', ['A-1']);
 *   }),
 * });
 */
export function hostWork(work: HostWorkOnClient): CommitWith {
  return async (transaction, answer) => {
    if (!isHostClient(transaction)) throw new BlockworkError('HOST_WORK_UNSUPPORTED');
    await work(transaction, answer);
  };
}
