/** Proof bundles: everything needed to verify a document or a mint without this instance, as one JSON value. */
import type { LinkedContext } from '../../../ports/index.js';
import type { BlockSource, JournalEntry, JsonObject, LedgerEffect, LedgerMessage } from '../../../records/index.js';

/** The version of the format. A verifier refuses others. */
export const BUNDLE_FORMAT = 'blockwork-bundle/1';

/** Lists are in the order in which things happened, as far as that is known. */
export interface ProofBundle {
  readonly format: typeof BUNDLE_FORMAT;
  readonly created: string;
  /** The document that the bundle proves; for a mint, its presentation. */
  readonly about: { readonly kind: 'document' | 'mint'; readonly documentId: string };
  readonly policy: BundledPolicy;
  /** The schemas of the documents. */
  readonly schemas: readonly BundledSchema[];
  /** The contexts of published schemas that proofs of linked data were made with; absent without such proofs. */
  readonly contexts?: readonly LinkedContext[];
  /** Everyone who signed something in the bundle. */
  readonly identities: readonly BundledIdentity[];
  /** The roles of those who signed, with the message of the credential that proves each. */
  readonly roles: readonly BundledRole[];
  /** The document, everything it builds on, and the credentials of roles. */
  readonly documents: readonly BundledDocument[];
  /** Their messages on the ledger, without content. */
  readonly messages: readonly BundledMessage[];
  /** The mints for the document; none for credentials. */
  readonly mints: readonly BundledMint[];
  /** The minted tokens. */
  readonly tokens: readonly BundledToken[];
  /** Messages that something refers to, but that the policy's book does not contain. */
  readonly missing: readonly string[];
  /** Absent if the policy has no log, or this instance no key for it. */
  readonly log?: BundledLog;
  readonly seal: BundleSeal;
}

export interface BundledPolicy {
  readonly id: string;
  readonly uuid: string;
  readonly name: string;
  readonly version: string;
  readonly status: string;
  readonly owner: string;
  readonly policyTag: string;
  readonly topicId: string;
  /** The ledger message that published it; empty for none. */
  readonly messageId: string;
  /** Its blocks, without options that only its owner may see. */
  readonly definition: BlockSource;
  /** SHA-256 of the canonical JSON (RFC 8785) of the definition, in hexadecimal digits. */
  readonly hash: string;
}

export interface BundledSchema {
  /** The IRI. */
  readonly id: string;
  readonly name: string;
  /** Address of its JSON-LD context; empty if it was never published. */
  readonly context: string;
  readonly document: JsonObject | null;
}

export interface BundledIdentity {
  readonly did: string;
  /** Its DID document with every key it ever signed with here; absent if none is known. */
  readonly document?: JsonObject;
  /** Keys that members registered for it. */
  readonly keys: readonly {
    readonly key: string;
    /** Who registered it: what a device signs counts as this member's. */
    readonly member: string;
    readonly createDate: string;
    readonly revokeDate?: string;
  }[];
}

export interface BundledRole {
  readonly did: string;
  readonly role: string;
  readonly group: string;
  readonly since: string;
  readonly messageId?: string;
}

export interface BundledDocument {
  readonly id: string;
  readonly schema?: string;
  readonly type?: string;
  readonly messageId?: string;
  /** The messages it builds on. */
  readonly relationships: readonly string[];
  /** The credential or presentation. */
  readonly document: JsonObject;
}

export interface BundledMessage extends Omit<LedgerMessage, 'body'> {
  /** Its id on the external ledger, once it is there. */
  readonly ledgerId?: string;
}

export type BundledMint = Pick<LedgerEffect, 'id' | 'tokenId' | 'accountId' | 'units' | 'amount' | 'serials' | 'memo'>;

export interface BundledToken {
  readonly id: string;
  /** Its id on the external ledger, if the credential of the mint names that one. */
  readonly ledgerId?: string;
  readonly tokenName: string;
  readonly tokenSymbol: string;
  readonly tokenType: string;
  readonly decimals: number;
  /** In units, as decimal text. */
  readonly supply: string;
  /** All mints and wipes up to now, oldest first; `null` if there are too many for a bundle. */
  readonly book: readonly { readonly id: string; readonly type: 'mint' | 'wipe'; readonly units: string }[] | null;
}

/** What the log of the policy's journal says about the documents. */
export interface BundledLog {
  /** A signed note (C2SP `tlog-checkpoint`). */
  readonly checkpoint: string;
  /** The key that signed it (C2SP `signed-note`). */
  readonly key: string;
  readonly entries: readonly BundledEntry[];
  /** Earlier states that the log continues: the one that was asked for, and the newest witnessed one. */
  readonly earlier?: readonly BundledGrowth[];
}

/** Proves that the log continues an earlier state of itself. */
export interface BundledGrowth {
  /** Number of entries then. */
  readonly size: number;
  /** The root then, in Base64. */
  readonly root: string;
  /** The hashes that lead to both roots (RFC 6962, section 2.1.2), in Base64. */
  readonly hashes: readonly string[];
  /** The message on the ledger that has its checkpoint; absent if it was asked for by its size. */
  readonly messageId?: string;
}

/** An entry of the journal that added documents, without who started it and which blocks ran. */
export interface BundledEntry extends Pick<JournalEntry, 'id' | 'at' | 'documents' | 'effects'> {
  /** SHA-256 of the canonical JSON of the entry's other members, in hexadecimal digits. */
  readonly course: string;
  /** The position of its leaf, from 0. */
  readonly index: number;
  /** From the leaf to the root (RFC 6962, section 2.1.1), in Base64. */
  readonly hashes: readonly string[];
}

export interface BundleSeal {
  /** SHA-256 of the canonical JSON (RFC 8785) of the bundle without its seal, in hexadecimal digits. */
  readonly digest: string;
  /**
   * Proof (`eddsa-jcs-2022`) of the policy's owner over `{type: 'BlockworkBundle', digest}`. Absent if this instance does
   * not hold the owner's key.
   */
  readonly proof?: JsonObject;
}
