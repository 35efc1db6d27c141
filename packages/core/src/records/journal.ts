/** The journal of a policy: one entry for each unit of work that changed something, in order and immutable. */
import type { Json } from './json/json.js';

export interface JournalEntry {
  /** The policy's revision after the unit, in twelve digits: entries sort by it. */
  id: string;
  /** When the unit began, by the engine's clock. */
  at: string;
  /** What caused it. */
  cause: JournalCause;
  /** Every event delivered, in order. Empty if the cause triggered no event. */
  events: JournalEvent[];
  /** Documents added and changed, by id, in order; each once. */
  documents: { added: string[]; changed: string[]; removed: string[] };
  /** Ids of the effects on the ledger. */
  effects: string[];
  /** Failures that the policy handles, and values that could not be calculated. */
  warnings: JournalWarning[];
  /** W3C trace context of what caused it, where it had one. */
  traceparent?: string;
}

export type JournalCause =
  | { type: 'send'; tag: string; did: string; group: string | null }
  /** `did`: the member whose data it is; `device`: the device that it was handed in for. */
  | { type: 'external'; tag: string; did: string; device?: string }
  /** Documents added by the embedding program. */
  | { type: 'importer' }
  /** Entries were moved into the archive: how many, and the id of the last one. */
  | { type: 'retention'; archived: number; through: string }
  /** A checkpoint of the log with so many entries was sent to the ledger. */
  | { type: 'witness'; size: number }
  | { type: 'tick'; tag: string; due: string }
  | { type: 'retry'; tag: string; input: string; attempt: number }
  /** `definition`: the revision of the definition after an edit. */
  | { type: 'lifecycle'; action: string; did: string; definition?: number };

/** Entries of the journal that the policy keeps at hand no longer, oldest first. */
export interface JournalArchive {
  /** The id of the first entry: archives sort by it. */
  id: string;
  /** The id of the last entry. */
  through: string;
  entries: JournalEntry[];
}

/** The log of a journal: a Merkle tree with a leaf for each entry since `first`. */
export interface JournalTree {
  /** The policy's. */
  id: string;
  /** The id of the first entry in it. */
  first: string;
  /** Number of leaves. */
  size: number;
  /** The newest entries, whose leaves are in no tile yet. */
  entries: string[];
  /** The hashes of their leaves, 32 bytes each, in Base64. */
  hashes: string;
}

/** Up to 256 hashes of the tree, at levels that are eight levels of nodes apart; full but for the last one of a level. */
export interface JournalTile {
  /** `<level>/<index>`, the index in twelve digits. */
  id: string;
  /** At level 0: the entries whose leaves these are. */
  entries?: string[];
  /** 32 bytes each, in Base64. */
  hashes: string;
}

export interface JournalEvent {
  source: string;
  output: string;
  target: string;
  input: string;
  did: string;
}

export interface JournalWarning {
  tag: string;
  /** The error code if a block failed; `WARNING` for a remark. */
  code: string;
  message: string;
  /** How the policy handles it: `retry`, `goto-step`, `goto-tag`, `ErrorEvent`. */
  action?: string;
  facts?: Json;
}
