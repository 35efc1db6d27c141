/** The journal of a policy: one entry for each unit of work that changed something, in order, never changed again. */
import type { Json } from './json/json.js';

export interface JournalEntry {
  /** The policy's revision after the unit, in twelve digits: entries sort by it. */
  id: string;
  /** When the unit began, by the engine's clock. */
  at: string;
  /** What set it going. */
  cause: JournalCause;
  /** Every event delivered, in order; with none, the cause did all there was to do. */
  events: JournalEvent[];
  /** Documents added and changed, by id, in order; each once. */
  documents: { added: string[]; changed: string[]; removed: string[] };
  /** Ids of the effects on the ledger. */
  effects: string[];
  /** Failures that the policy provides for, and what could not be worked out on the way. */
  warnings: JournalWarning[];
}

export type JournalCause =
  | { type: 'send'; tag: string; did: string; group: string | null }
  | { type: 'external'; tag: string; did: string }
  /** Documents handed in by the program that embeds the engine. */
  | { type: 'importer' }
  | { type: 'tick'; tag: string; due: string }
  | { type: 'retry'; tag: string; input: string; attempt: number }
  | { type: 'lifecycle'; action: string; did: string };

export interface JournalEvent {
  source: string;
  output: string;
  target: string;
  input: string;
  did: string;
}

export interface JournalWarning {
  tag: string;
  /** Code of the error where a block failed; `WARNING` where it only said something. */
  code: string;
  message: string;
  /** What the policy provides for: `retry`, `goto-step`, `goto-tag`, `ErrorEvent`. */
  action?: string;
  facts?: Json;
}
