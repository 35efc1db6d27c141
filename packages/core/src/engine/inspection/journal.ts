/** A policy's journal, for its owner. */
import type { Caller } from '../../access/index.js';
import { BlockworkError } from '../../errors.js';
import { demandOptions } from '../../options/index.js';
import { allOf, equalTo } from '../../records/index.js';
import type { Condition, JournalCause, JournalEntry, Order } from '../../records/index.js';
import type { RecordReader } from '../../transactions/index.js';
import type { Gate } from '../gate.js';
import type { EngineLimits } from '../limits.js';
import { boundedRange, pageOf, type ListPage, type Range } from '../page.js';
import type { PolicySight } from '../people/policy-sight.js';
import { ownPolicy } from './own-policy.js';

export interface JournalQuery extends Range {
  /** Entries with this type of cause. */
  readonly cause?: JournalCause['type'] | undefined;
  /** Entries that started at the block with this tag, or in which it sent or received an event or failed. */
  readonly tag?: string | undefined;
  /** Entries caused by this identity, or in which blocks ran as this identity. */
  readonly did?: string | undefined;
  /** Entries that added, changed or removed this document. */
  readonly documentId?: string | undefined;
  /** Entries in which a block failed and the policy handled the failure. */
  readonly failed?: boolean | undefined;
  /** Default: `oldest` first. */
  readonly from?: 'oldest' | 'newest' | undefined;
}

export interface JournalDeps {
  readonly store: RecordReader;
  readonly sight: PolicySight;
  readonly limits: Pick<EngineLimits, 'pageBytes'>;
}

/** Entries scanned at a time for criteria the store cannot select by. */
const BATCH = 200;

/** Every method throws `PERMISSION_DENIED` (`POLICIES_POLICY_MANAGE`), `POLICY_UNKNOWN`, `POLICY_NOT_OWNED`, `ENGINE_CLOSED`. */
export class Journal {
  constructor(
    private readonly gate: Gate,
    private readonly deps: JournalDeps,
  ) {}

  /**
   * A page of journal entries, 100 by default: one for each unit of work that changed more than view state, excluding
   * archived ones; `total` counts all that match. A page that exceeds `pageBytes` is cut. Throws `INPUT_INVALID` for a limit
   * above 1000, and the errors common to all methods, such as `ENGINE_CLOSED`.
   *
   * @example const { items, total } = await engine.journal.list(owner, policyId, { limit: 10 });
   */
  async list(caller: Caller, policyId: string, query: JournalQuery = {}): Promise<ListPage<JournalEntry>> {
    const { store, sight, limits } = this.deps;
    await ownPolicy(this.gate, sight, caller, policyId);
    demandOptions(query, 'journal.list', 'query');
    const { offset, limit } = boundedRange(query);
    const where = condition(query);
    const order: Order | undefined = query.from === 'newest' ? { path: 'id', direction: 'desc' } : undefined;
    const selected = { where, ...(order && { order }) };
    if (query.tag === undefined && query.did === undefined && query.failed !== true) {
      return pageOf(store, 'journal', policyId, { ...selected, offset, limit, bytes: limits.pageBytes });
    }
    return this.#search(policyId, selected, { ...query, offset, limit });
  }

  /**
   * One entry, including archived ones. Throws `JOURNAL_ENTRY_UNKNOWN`, and the errors common to all methods, such as
   * `ENGINE_CLOSED`.
   *
   * @example const { cause } = await engine.journal.get(owner, policyId, entryId);
   */
  async get(caller: Caller, policyId: string, entryId: string): Promise<JournalEntry> {
    const { store, sight } = this.deps;
    await ownPolicy(this.gate, sight, caller, policyId);
    const entry = (await store.get('journal', policyId, entryId)) ?? (await this.#archived(policyId, entryId));
    if (entry === undefined) throw new BlockworkError('JOURNAL_ENTRY_UNKNOWN', { facts: { policyId, entryId } });
    return entry;
  }

  /** Scans all entries for criteria the store cannot select by; retention bounds their number. */
  async #search(
    policyId: string,
    selected: { readonly where: Condition; readonly order?: Order },
    query: JournalQuery & Required<Range>,
  ): Promise<ListPage<JournalEntry>> {
    const { store, limits } = this.deps;
    const items: JournalEntry[] = [];
    let total = 0;
    let bytes = 0;
    for (let offset = 0; ; offset += BATCH) {
      const batch = await store.find('journal', policyId, { ...selected, offset, limit: BATCH });
      for (const entry of batch.filter((each) => fits(each, query))) {
        total += 1;
        if (total <= query.offset || items.length === query.limit) continue;
        bytes += Buffer.byteLength(JSON.stringify(entry));
        if (bytes <= limits.pageBytes) items.push(entry);
      }
      if (batch.length < BATCH) return { items, total };
    }
  }

  async #archived(policyId: string, entryId: string): Promise<JournalEntry | undefined> {
    const [archive] = await this.deps.store.find('journal-archive', policyId, {
      where: { path: 'id', op: 'lte', value: entryId },
      order: { path: 'id', direction: 'desc' },
      limit: 1,
    });
    return archive?.entries.find(({ id }) => id === entryId);
  }
}

function condition({ cause, documentId }: JournalQuery): Condition {
  const fates = ['added', 'changed', 'removed'].map((fate) => `documents.${fate}`);
  return allOf(
    ...(cause === undefined ? [] : [equalTo('cause.type', cause)]),
    ...(documentId === undefined ? [] : [{ any: fates.map((path) => equalTo(path, documentId)) }]),
  );
}

const fits = (entry: JournalEntry, { tag, did, failed }: JournalQuery): boolean =>
  (tag === undefined || concerns(entry, tag)) &&
  (did === undefined || isInNameOf(entry, did)) &&
  (failed !== true || entry.warnings.some(({ code }) => code !== 'WARNING'));

const concerns = ({ cause, events, warnings }: JournalEntry, tag: string): boolean =>
  ('tag' in cause && cause.tag === tag) ||
  events.some(({ source, target }) => source === tag || target === tag) ||
  warnings.some((warning) => warning.tag === tag);

const isInNameOf = ({ cause, events }: JournalEntry, did: string): boolean =>
  ('did' in cause && cause.did === did) ||
  ('device' in cause && cause.device === did) ||
  events.some((event) => event.did === did);
