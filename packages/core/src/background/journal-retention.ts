/** Journal retention: moves the oldest entries of long journals into the archive, and records that in the journal. */
import { journalEntry } from '../context/index.js';
import type { ChangeSet, PolicyStore } from '../ports/index.js';
import type { JournalArchive, JournalEntry } from '../records/index.js';
import { lanes, revisionKeys } from '../transactions/index.js';
import type { CommitListener, Executor, UnitOfWork } from '../transactions/index.js';
import type { ServiceDeps } from './claiming-service.js';
import { KeyedService, type Found, type Look } from './keyed-service.js';

export interface JournalRetentionDeps extends Omit<ServiceDeps, 'leases'> {
  readonly store: PolicyStore;
  readonly executor: Executor;
  /** `journalEntries`: entries of one policy kept outside the archive. */
  readonly limits: { readonly journalEntries: number };
}

/** Maximum number of entries archived in one unit of work. */
const BATCH = 200;
/** Entries read at once. */
const PAGE = 20;
/** Maximum characters of entries in one unit of work, and in one archive record, unless a single entry is longer. */
const UNIT_CHARACTERS = 2 ** 20;
const ARCHIVE_CHARACTERS = 2 ** 18;
/** Maximum number of journals shortened concurrently. */
const CONCURRENT = 100;
const task = {
  name: 'journal retention',
  keyOf: String,
  leases: 'journal',
  work: 'journal',
  failure: { names: 'policyId', message: 'The journal of a policy could not be shortened; it will be retried.' },
  backoff: { firstMs: 1_000, longestMs: 60_000 },
} as const;

/**
 * A journal is checked when its first entry since the start is committed here, and then after every tenth of the limit,
 * 200 entries at most: a journal exceeds the limit by no more than that. Nodes
 * that share a store may do the same work: the second commit is rejected and finds nothing left to do.
 */
export class JournalRetention extends KeyedService<JournalRetentionDeps, string> implements CommitListener {
  /** Entries added since the last check, by policy. */
  readonly #added = new Map<string, number>();
  readonly #due = new Set<string>();
  /** Entries that a journal may have beyond the limit. */
  readonly #slack: number;

  constructor(deps: JournalRetentionDeps) {
    super(deps, task);
    this.#slack = Math.min(BATCH, Math.ceil(deps.limits.journalEntries / 10));
  }

  committed({ changes }: ChangeSet): void {
    for (const { kind, op, partition } of changes) {
      if (kind !== 'journal' || op !== 'put') continue;
      const added = (this.#added.get(partition) ?? this.#slack) + 1;
      this.#added.set(partition, added > this.#slack ? 0 : added);
      if (added <= this.#slack || this.#due.has(partition)) continue;
      this.#due.add(partition);
      this.wake();
    }
  }

  protected override find({ keys, skipped }: Look): Promise<Found<string>> {
    const due = [...this.#due].filter((policyId) => !keys.has(policyId) && !skipped.has(policyId));
    return Promise.resolve({ due: due.slice(0, CONCURRENT - keys.size) });
  }

  protected override async perform(policyId: string): Promise<void> {
    const { store, executor, limits } = this.deps;
    const key = revisionKeys.policy.of(policyId);
    this.#due.delete(policyId);
    for (;;) {
      const excess = (await store.count('journal', policyId)) - limits.journalEntries;
      // The entry that tells of the archived ones is one more.
      if (this.isStopping || excess < Math.max(2, this.#slack)) return;
      // Read outside the policy's lane, so that no send waits for it.
      const entries = await oldest(store, policyId, Math.min(BATCH, excess + 1));
      const [first] = entries;
      if (first === undefined) return;
      await executor.run(lanes.policy.of(policyId), [key], async (unit) => {
        // Entries never change and are archived oldest first: if the first is still there, all are.
        if ((await unit.get('journal', policyId, first.entry.id)) !== undefined)
          this.#archive(unit, policyId, entries, unit.expected(key));
      });
    }
  }

  protected override postpone(policyId: string, error: unknown): Promise<void> {
    this.#due.add(policyId);
    return super.postpone(policyId, error);
  }

  #archive(unit: UnitOfWork, policyId: string, entries: readonly Measured[], revision: number): void {
    const through = entries.at(-1)?.entry.id ?? '';
    for (const archive of archivesOf(entries)) unit.putOwned('journal-archive', policyId, archive);
    for (const { entry } of entries) unit.delete('journal', policyId, entry.id);
    const cause = { type: 'retention', archived: entries.length, through } as const;
    unit.put('journal', policyId, journalEntry(cause, revision, this.deps.clock));
  }
}

/** An entry with its length as JSON. */
interface Measured {
  readonly entry: JournalEntry;
  readonly characters: number;
}

/** So many entries, or as many as fit into one unit of work. */
async function oldest(store: PolicyStore, policyId: string, count: number): Promise<Measured[]> {
  const entries: Measured[] = [];
  for (let total = 0; entries.length < count;) {
    const query = { offset: entries.length, limit: Math.min(PAGE, count - entries.length) };
    const page = await (store.findShared?.('journal', policyId, query) ?? store.find('journal', policyId, query));
    if (page.length === 0) break;
    for (const entry of page) {
      const characters = JSON.stringify(entry).length;
      total += characters;
      if (total > UNIT_CHARACTERS && entries.length > 0) return entries;
      entries.push({ entry, characters });
    }
  }
  return entries;
}

function archivesOf(entries: readonly Measured[]): JournalArchive[] {
  const archives: JournalArchive[] = [];
  let room = 0;
  for (const { entry, characters } of entries) {
    const last = archives.at(-1);
    room -= characters;
    if (last !== undefined && room >= 0) {
      last.entries.push(entry);
      last.through = entry.id;
      continue;
    }
    archives.push({ id: entry.id, through: entry.id, entries: [entry] });
    room = ARCHIVE_CHARACTERS - characters;
  }
  return archives;
}
