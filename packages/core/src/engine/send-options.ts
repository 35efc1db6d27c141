/** Options common to reads and sends. */
import { BlockworkError } from '../errors.js';
import { demandOptions } from '../options/index.js';
import type { PolicyStore } from '../ports/index.js';
import type { JsonAnswer } from '../records/index.js';

/** Options of sends. */
export interface SendOptions {
  /**
   * Chosen by the sender, for instance a UUID: 1 to 200 visible ASCII characters. Repeating a send with the key of a
   * completed one changes nothing and returns the same answer, on any node, for as long as the limits specify.
   */
  readonly idempotencyKey?: string | undefined;
  /** The `traceparent` (W3C Trace Context) of the send's cause, propagated to outgoing calls. Ignored if invalid. */
  readonly traceparent?: string | undefined;
  /**
   * Writes of your own that are committed in the same transaction as everything that the send changes: both or neither.
   * For a store with the capability `hostWork`; its package makes such functions (`hostWork` of
   * `@blockwork/store-postgres`). Runs after the blocks, with the answer of the send, and again if the commit has to be
   * tried again; not for a repetition of a completed send, whose writes are there.
   */
  readonly commitWith?: CommitWith | undefined;
}

/** See `SendOptions.commitWith`. `transaction` is what the package of the store says. */
export type CommitWith = (transaction: unknown, answer: JsonAnswer | null) => Promise<void>;

/** Parameters of one read, as text. */
export type Query = Readonly<Record<string, string>>;

/** Options of reads. */
export type ReadOptions = Pick<SendOptions, 'traceparent'>;

/** Throws `INPUT_INVALID` naming the method, unless the argument is absent or an object. */
export function assertReadArguments(method: string, query: Query | undefined, options: ReadOptions | undefined): void {
  demandOptions(query, method, 'query');
  demandOptions(options, method, 'options');
}

/** Throws `INPUT_INVALID` unless `commitWith` is absent or a function, and `HOST_WORK_UNSUPPORTED`. */
export function assertCommitWith(commitWith: unknown, { capabilities }: Pick<PolicyStore, 'capabilities'>): void {
  if (commitWith === undefined) return;
  if (typeof commitWith !== 'function') {
    throw new BlockworkError('INPUT_INVALID', { facts: { reason: 'commitWith must be a function.' } });
  }
  if (capabilities.hostWork !== true) throw new BlockworkError('HOST_WORK_UNSUPPORTED');
}
