/** What the next transaction of an effect is planned from, and what a plan is. */
import type { LedgerEffect, LedgerMessage, LedgerToken, SettlementFacts } from '@blockwork/core';
import type { PublishedTool } from '@blockwork/core/adapter';
import type { Mirror } from '../network/mirror.js';
import type { Operation } from './operation.js';
import type { Mapped, TransactionRow } from './row.js';

export interface Planned {
  readonly operation: Operation;
  readonly memo: string;
}

export interface PlanDeps {
  readonly operatorAccount: string;
  /** Whether accounts of the book are made on the ledger, with the operator's key, or are those of the ledger. */
  readonly createsAccounts: boolean;
  /** Tokens of the book that exist on the ledger already. */
  readonly tokens: Readonly<Record<string, string>>;
  /** The topic under which the topics of policies are listed; `null` for none. */
  readonly parentTopic: string | null;
  /** Where registries are announced; `null`: they are not. */
  readonly initializationTopic: string | null;
  /** Whether a topic has no messages. */
  readonly isEmpty: (topic: string) => Promise<boolean>;
  readonly mirror: Mirror;
  readonly idOf: (of: Mapped, local: string) => Promise<string | undefined>;
  /** Stores the file and resolves with its CID; `null` without a place for files. */
  readonly storeFile: (content: Uint8Array) => Promise<string | null>;
}

/** A tool that was published by this instance. */
export interface ToolHere {
  readonly name: string;
  /** The ledger's id of its message. */
  readonly publishedAs: string;
}

export interface EffectFacts {
  readonly effect: LedgerEffect;
  readonly message: LedgerMessage | null;
  /** The token that the effect is about, as the book has it. */
  readonly token: LedgerToken | null;
  /** The exact text of the document that the message is about. */
  readonly document: string | null;
  /** Makes the policy's file; only with the message that publishes it. */
  readonly archive?: () => Promise<Uint8Array>;
  /** Only with the message that publishes it. */
  readonly schema?: SettlementFacts['schema'];
  /** Only of the effect that publishes it. */
  readonly tool?: PublishedTool;
  /** Of the effect that publishes a policy: its tools that were published here. */
  readonly toolsHere?: readonly ToolHere[];
  /** All are confirmed. */
  readonly done: readonly TransactionRow[];
}

export const bare = (operation: Operation): Planned => ({ operation, memo: '' });

export const inOnePiece = (topic: string, text: string, memo: string): Planned => ({
  operation: { type: 'submit-message', topic, text, number: 1, total: 1 },
  memo,
});

/** Messages that are not on the ledger, such as those from before it was used, cannot be named there. */
export async function onLedger(ids: readonly string[], { idOf }: PlanDeps): Promise<string[]> {
  const ledgerIds = await Promise.all(ids.map((id) => idOf('message', id)));
  return ledgerIds.filter((id) => id !== undefined);
}
