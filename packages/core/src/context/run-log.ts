/** Records what a run does; its journal entry is built from this. */
import { isoNow } from '../ports/index.js';
import type { Clock } from '../ports/index.js';
import { cloneJson } from '../records/index.js';
import type { JournalCause, JournalEntry, JournalEvent, JournalWarning, LedgerEffect } from '../records/index.js';

type DocumentFate = 'added' | 'changed' | 'removed';

/** A position in the log to return to when a block fails. Events and warnings are kept, since they did happen. */
export interface LogPoint {
  readonly documents: number;
  readonly effects: number;
}

export class RunLog {
  readonly events: JournalEvent[] = [];
  readonly warnings: JournalWarning[] = [];
  readonly effects: LedgerEffect[] = [];
  readonly #documents: [id: string, fate: DocumentFate][] = [];

  document(id: string, fate: DocumentFate): void {
    this.#documents.push([id, fate]);
  }

  point(): LogPoint {
    return { documents: this.#documents.length, effects: this.effects.length };
  }

  returnTo({ documents, effects }: LogPoint): void {
    this.#documents.length = documents;
    this.effects.length = effects;
  }

  /**
   * Nothing may be logged afterwards. The members are in the order of canonical JSON, in which the log of the journal hashes them.
   * @param revision of the policy before the unit.
   */
  entry(cause: JournalCause, revision: number, clock: Clock, traceparent?: string): JournalEntry {
    return {
      id: journalId(revision),
      at: isoNow(clock),
      cause,
      events: this.events,
      documents: this.#fates(),
      effects: this.effects.map(({ id }) => id),
      ...(traceparent !== undefined && { traceparent }),
      // Blocks may still hold references to the facts they passed.
      warnings: cloneJson(this.warnings),
    };
  }

  /** Each document once, with its final state. */
  #fates(): JournalEntry['documents'] {
    if (this.#documents.length === 0) return { added: [], changed: [], removed: [] };
    const fates = new Map<string, DocumentFate | 'nothing'>();
    for (const [id, fate] of this.#documents) {
      const before = fates.get(id);
      if (before === 'added' && fate === 'changed') continue;
      fates.set(id, before === 'added' && fate === 'removed' ? 'nothing' : fate);
    }
    const of = (wanted: DocumentFate): string[] => [...fates].filter(([, fate]) => fate === wanted).map(([id]) => id);
    return { added: of('added'), changed: of('changed'), removed: of('removed') };
  }
}

/** The entry of a unit that runs no blocks. @param revision of the policy before the unit. */
export const journalEntry = (cause: JournalCause, revision: number, clock: Clock): JournalEntry => ({
  id: journalId(revision),
  at: isoNow(clock),
  cause,
  events: [],
  documents: { added: [], changed: [], removed: [] },
  effects: [],
  warnings: [],
});

/** The revision the unit produces, padded so that ids sort. */
export const journalId = (revision: number): string => String(revision + 1).padStart(12, '0');
