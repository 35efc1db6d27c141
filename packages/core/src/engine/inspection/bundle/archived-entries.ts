/** Finds the archived journal entries that added documents. */
import type { DocumentRecord, JournalArchive, JournalEntry } from '../../../records/index.js';
import type { RecordReader } from '../../../transactions/index.js';

/** Archives looked into for one document: clocks of nodes may differ, and those next to the right one are looked into as well. */
const NEARBY = 8;
/** Archives looked into for one bundle, of about 256 kB each. */
const READ_AT_MOST = 200;

/**
 * In their order. Entries are found by the time of their documents. Where these were imported with an earlier time, or more
 * archives would have to be read than a bundle may take, they are left out.
 */
export async function archivedEntries(
  store: RecordReader,
  policyId: string,
  documents: readonly Pick<DocumentRecord, 'id' | 'createDate'>[],
): Promise<JournalEntry[]> {
  if (documents.length === 0) return [];
  const archives = new Archives(store, policyId, await store.count('journal-archive', policyId));
  const entries = new Map<string, JournalEntry>();
  const added = new Set<string>();
  for (const { id, createDate } of documents) {
    if (added.has(id)) continue;
    for (const at of await archives.near(createDate)) {
      const entry = (await archives.at(at))?.entries.find(({ documents: { added: own } }) => own.includes(id));
      if (entry === undefined) continue;
      entries.set(entry.id, entry);
      for (const document of entry.documents.added) added.add(document);
      break;
    }
  }
  return [...entries.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
}

class Archives {
  readonly #read = new Map<number, JournalArchive | undefined>();

  constructor(
    private readonly store: RecordReader,
    private readonly policyId: string,
    private readonly count: number,
  ) {}

  /** `undefined` beyond what may be read. */
  async at(place: number): Promise<JournalArchive | undefined> {
    if (this.#read.has(place)) return this.#read.get(place);
    if (this.#read.size >= READ_AT_MOST) return undefined;
    const order = { path: 'id', direction: 'asc' } as const;
    const [archive] = await this.store.find('journal-archive', this.policyId, { order, offset: place, limit: 1 });
    this.#read.set(place, archive);
    return archive;
  }

  /** Places of archives, that of the time first. */
  async near(time: string): Promise<number[]> {
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const first = (await this.at(middle))?.entries[0];
      if (first === undefined) return [];
      if (first.at <= time) low = middle + 1;
      else high = middle;
    }
    const likely = Math.max(0, low - 1);
    return Array.from({ length: this.count }, (_, place) => place)
      .filter((place) => Math.abs(place - likely) <= NEARBY / 2)
      .sort((one, other) => Math.abs(one - likely) - Math.abs(other - likely));
  }
}
