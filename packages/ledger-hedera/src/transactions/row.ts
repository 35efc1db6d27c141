/** A transaction as the store keeps it, from before it is first sent until the mirror has confirmed it. */
import type { Outcome } from '../network/nodes.js';
import type { Operation } from './operation.js';
import type { SignedCopy } from './sign-transaction.js';

/**
 * - `signed`: its id and bytes are stored; nobody knows yet whether it was sent. `submitted`: a node has accepted it.
 * - `consensus`: the network has carried it out. `confirmed`: the mirror says so too, and nothing remains to be done.
 * - `planned`: it had no effect; it is signed under a new id when no copy of the old one can have any.
 * - `refused`: the network has said no, and the later effects of the policy wait. It is tried again, under a new id, when
 *   the adapter is opened anew or asked to: an attempt costs a fee.
 */
export type RowState = 'planned' | 'signed' | 'submitted' | 'consensus' | 'confirmed' | 'refused';

export interface TransactionRow {
  readonly id: string;
  readonly effectId: string;
  readonly state: RowState;
  readonly operation: Operation;
  readonly memo: string;
  /** How often it was signed. */
  readonly attempts: number;
  readonly transactionId: string;
  /** Second since 1970 after which the network no longer takes this id. */
  readonly validUntil: number;
  /** Dropped when confirmed. */
  readonly copies: readonly SignedCopy[];
  readonly outcome: Outcome | null;
  /** `<seconds>.<nanoseconds>`, when confirmed. */
  readonly consensusAt: string | null;
  /** Tinybars, when confirmed. */
  readonly fee: string | null;
  /** The day of its signing, to which its costs are charged. Absent in rows of earlier versions, as is `reserved`. */
  readonly day?: string;
  /** Tinybars that it may still cost, as counted among the costs of its day; `0` when the fee is known. */
  readonly reserved?: string;
  /** Why it is not further yet; empty if nothing is in the way. */
  readonly reason: string;
}

/** Which id of the ledger stands for one of the book. `policy-tool`: a tool that was published for the policy. */
export type Mapped =
  'topic' | 'policy-topic' | 'registry-topic' | 'tool' | 'policy-tool' | 'token' | 'account' | 'message' | 'serial';
export interface Mapping {
  readonly of: Mapped;
  readonly local: string;
  readonly ledger: string;
}
