/** Finds the archived journal entries that added documents. */
import type { DocumentRecord, JournalEntry } from '../../../records/index.js';
import type { RecordReader } from '../../../transactions/index.js';

/** Archives looked into for one document: clocks of nodes may differ, and those next to the right one are looked into as well. */
const NEARBY = 8;
/** Archives looked into for one bundle, of about 256 kB each. */
const READ_AT_MOST = 200;

type Dated = Pick<DocumentRecord, 'id' | 'createDate'>;

/**
 * In their order. Entries are found by the time of their documents. Where these were imported with an earlier time, or more
 * archives would have to be read than a bundle may take, they are left out.
 */
export async function archivedEntries(
  store: RecordReader,
  policyId: string,
  documents: readonly Dated[],
): Promise<JournalEntry[]> {
  if (documents.length === 0) return [];
  const count = await store.count('journal-archive', policyId);
  const search = new ArchiveSearch({ store, policyId, count }, new Set(documents.map(({ id }) => id)));
  for (const document of documents) await search.add(document);
  return [...search.found.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
}

interface Archives {
  readonly store: RecordReader;
  readonly policyId: string;
  readonly count: number;
}

/** Each archive is read once, and gives all that is sought at once; none is kept. */
class ArchiveSearch {
  /** The entries that were found, by their ids. */
  readonly found = new Map<string, JournalEntry>();
  /** The times of the first entries of the archives that were read, by place. */
  readonly #starts = new Map<number, string>();

  constructor(
    private readonly archives: Archives,
    private readonly sought: Set<string>,
  ) {}

  /** Looks for the entry that added this document. */
  async add({ id, createDate }: Dated): Promise<void> {
    if (!this.sought.has(id)) return;
    const likely = await this.#placeOf(createDate);
    if (likely === undefined) return;
    for (let distance = 0; distance <= NEARBY / 2; distance += 1) {
      for (const place of new Set([likely + distance, likely - distance])) {
        if (!this.sought.has(id)) return;
        if (place >= 0 && place < this.archives.count) await this.#read(place);
      }
    }
  }

  /** The last archive that begins no later; `undefined` if it cannot be told. */
  async #placeOf(time: string): Promise<number | undefined> {
    let [low, high] = [0, this.archives.count];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      await this.#read(middle);
      const start = this.#starts.get(middle);
      if (start === undefined) return undefined;
      if (start <= time) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }

  /** Does nothing for one that was read, and beyond what may be read. */
  async #read(place: number): Promise<void> {
    if (this.#starts.has(place) || this.#starts.size >= READ_AT_MOST) return;
    const { store, policyId } = this.archives;
    const order = { path: 'id', direction: 'asc' } as const;
    const [archive] = await store.find('journal-archive', policyId, { order, offset: place, limit: 1 });
    const { entries = [] } = archive ?? {};
    this.#starts.set(place, entries[0]?.at ?? '');
    for (const entry of entries) {
      const own = entry.documents.added.filter((id) => this.sought.delete(id));
      if (own.length > 0) this.found.set(entry.id, entry);
    }
  }
}
