/**
 * A ledger outside the process, on which committed effects are carried out.
 *
 * The engine keeps each policy's book itself, in its store: tokens, accounts, balances, topics and messages change
 * atomically with the unit of work that causes them. Effects are sent to the ledger after the commit.
 */
import type { JsonObject, LedgerEffect, LedgerToken, ToolReference } from '../records/index.js';
import type { LedgerOperation } from './ledger-operation.js';

/** What is handed over with a committed effect. */
export interface SettlementFacts {
  /** For a message about a document: the JSON text of the document as it was published; `null` for other effects. */
  readonly document: string | null;
  /** The token of the effect, as the book has it now; `null` for effects without one. */
  readonly token: LedgerToken | null;
  /**
   * For a message of the type `publish-policy`: makes the policy's file, the same as `exportPolicy` gives, but that it names tools
   * by the messages that published them.
   */
  readonly archive?: (tools?: readonly RenamedTool[]) => Promise<Uint8Array>;
  /** For a message of the type `publish-policy`: the policy's tools, each after those that it uses. */
  readonly tools?: readonly PublishedTool[];
  /** For a message of the type `schema`: the schema. */
  readonly schema?: PublishedSchema;
}

/** A schema of a policy that is published, as it stays. */
export interface PublishedSchema {
  /** A JSON Schema document. */
  readonly document: JsonObject;
  /** What the documents of the schema name as their `@context`. */
  readonly address: string;
  /** The JSON-LD context that is at this address; `null` for a schema that was never published: documents are signed as if each
   * field had an IRI of its own and its value were a JSON literal (`contextsOf` of `@blockwork/linked-data`). */
  readonly context: JsonObject | null;
}

/** A tool of a policy that is published, under the reference with which the policy was imported. */
export interface PublishedTool extends ToolReference {
  /** Empty if the tool has none. */
  readonly uuid: string;
  readonly name: string;
  readonly description: string;
  /** SHA-256 of its file in hexadecimal: whoever imports a tool chooses its reference. */
  readonly digest: string;
  /** Each after those that it uses. */
  readonly schemas: readonly SchemaOfTool[];
  /** The `.tool` file that it was imported from. */
  readonly file: () => Promise<Uint8Array>;
}

export interface SchemaOfTool extends PublishedSchema {
  /** As in the body of a message of the type `schema`. */
  readonly about: JsonObject;
  /** The places of the schemas before it that it uses. */
  readonly uses: readonly number[];
}

/** A tool by its reference in the policy, and the message that published it on the ledger. */
export interface RenamedTool extends ToolReference {
  readonly publishedAs: string;
}

/** The ids that a ledger gives when it settles. What is signed before would name the ids of the book for ever. */
export interface LedgerIds {
  /**
   * The ledger's id of a token or message in the book of a published policy; `undefined` if it has none yet. An id never
   * changes. Rejects if that cannot be told now.
   */
  idOf(policyId: string, of: 'token' | 'message', local: string): Promise<string | undefined>;
}

/** A message on the ledger that has a checkpoint of a log. */
export interface WitnessMessage {
  /** The ledger's id. */
  readonly messageId: string;
  /** The checkpoint: a signed note (C2SP `tlog-checkpoint`). */
  readonly note: string;
}

/** Reads what was witnessed, from the ledger and not from the store: a store may be older than it was. */
export interface LedgerWitnesses {
  /**
   * The newest message of the type `checkpoint` in a topic of a policy's book that this instance sent; `undefined` if there is
   * none. Rejects if that cannot be told now.
   */
  newest(policyId: string, topicId: string): Promise<WitnessMessage | undefined>;
}

export interface Ledger {
  /**
   * Called inside the unit of work, before the effect is written to the book. A rejection makes the block fail with
   * `LEDGER_REFUSED` and the rejection's message. Must have no side effects. For ledgers that know more than the book,
   * such as that an account does not exist. In a trial, accounts are invented and nothing is settled afterwards.
   */
  check(effect: LedgerEffect, circumstances: { readonly trial: boolean }): Promise<void>;

  /**
   * Carries out a committed effect. A policy's effects arrive in commit order, each at least once. Must be idempotent
   * by `effect.id`. After a rejection the effect is retried, and the policy's later effects wait. For a message,
   * `effect.body` is the `LedgerMessage`.
   */
  settle(effect: LedgerEffect, facts: SettlementFacts): Promise<void>;

  /** Absent if the ledger has the ids of the book. */
  readonly ids?: LedgerIds;

  /**
   * Whether policies themselves are published: then publishing one books a topic for its versions (`POLICY_TOPIC`) and a
   * message `publish-policy` there, which is settled with the policy's file, after a message `schema` for each of its schemas. Discontinuing
   * it books `discontinue-policy` there, at a date `deferred-discontinue-policy` before. Default: they are not.
   */
  readonly publishesPolicies?: boolean;

  /** Bytes of a policy's file that readers of the ledger take at most: publishing a larger one is refused. Default: unlimited. */
  readonly policyFileBytes?: number;

  /** Absent if the ledger cannot be read: then only the book says what was witnessed. */
  readonly witnesses?: LedgerWitnesses;

  /** For operators. Absent if the adapter can neither be asked nor told anything. */
  readonly operation?: LedgerOperation;

  close(): Promise<void>;
}
