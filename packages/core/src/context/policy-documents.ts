/** One policy's documents, as blocks read and write them. */
import { z } from 'zod';
import { BlockworkError } from '../errors.js';
import { pointerOf } from '../policy/index.js';
import { toDetails } from '../problem-details.js';
import { isoNow } from '../ports/index.js';
import type { Clock, Ids, RecordQuery } from '../ports/index.js';
import {
  allOf,
  cloneJson,
  documentInput,
  equalTo,
  exceedsJsonBytes,
  jsonBytes,
  matches,
  nestsTooDeep,
  notJson,
  sameJson,
} from '../records/index.js';
import type {
  Condition,
  DocumentCollection,
  DocumentInput,
  DocumentRecord,
  ErrorDetail,
  JsonObject,
  Order,
} from '../records/index.js';
import type { DocumentRange, DocumentReader, DocumentWriter, PastState, WorkBudget } from '../block-api/index.js';
import type { DocumentUsage } from './document-usage.js';
import type { RunLog } from './run-log.js';
import type { DocumentRow, DocumentSource, Selection } from '../block-api/index.js';
import { cutPage, type RecordReader, type UnitOfWork } from '../transactions/index.js';

export class PolicyDocuments implements DocumentReader {
  constructor(
    protected readonly records: RecordReader,
    protected readonly policyId: string,
    /** Maximum bytes of documents in one answer. */
    private readonly pageBytes?: number,
  ) {}

  get(id: string): Promise<DocumentRecord | undefined> {
    return this.records.get('document', this.policyId, id);
  }

  find(where: Condition, range: DocumentRange & { readonly order?: Order } = {}): Promise<DocumentRecord[]> {
    return this.records.find('document', this.policyId, { ...range, where, ...this.#bytes() });
  }

  async rows(selection: Selection, range: DocumentRange = {}): Promise<DocumentRow[]> {
    const find = (query: RecordQuery) => this.records.find('document', this.policyId, query);
    return (await this.#findTagged(selection, range, find)).map(({ document, tag }) => row(document, tag));
  }

  /** Like `rows`, but read-only: a frozen document stays the same object until it is written. */
  async shared(selection: Selection, range: DocumentRange = {}): Promise<TaggedDocument[]> {
    const { records, policyId } = this;
    const find = (query: RecordQuery) =>
      records.findShared?.('document', policyId, query) ?? records.find('document', policyId, query);
    return this.#findTagged(selection, range, find);
  }

  async count(selection: Selection): Promise<number> {
    let total = 0;
    for (const { where } of segments(selection)) total += await this.records.count('document', this.policyId, where);
    return total;
  }

  async history(document: DocumentRecord): Promise<PastState[]> {
    const past = await this.records.find('document-state', this.policyId, {
      where: equalTo('documentId', document.id),
    });
    return past.length === 0
      ? [stateOf(document, document.createDate)]
      : past.map(({ option, comment, created }) => ({ option, created, ...(comment !== undefined && { comment }) }));
  }

  async #findTagged(selection: Selection, range: DocumentRange, find: FindDocuments): Promise<TaggedDocument[]> {
    const offset = range.offset ?? 0;
    const { order } = selection;
    const documents = await cutPage(range.limit, ({ limit = Infinity }) =>
      order === undefined
        ? this.#findBySource(segments(selection), offset, limit, find)
        : this.#findOrdered(selection, { order, offset, limit }, find),
    );
    return [...documents];
  }

  async #findBySource(
    sources: readonly DocumentSource[],
    offset: number,
    limit: number,
    find: FindDocuments,
  ): Promise<TaggedDocument[]> {
    const rows: TaggedDocument[] = [];
    let skip = offset;
    let left = this.pageBytes;
    const last = sources.at(-1);
    for (const source of sources) {
      const { tag, where, order } = source;
      if (rows.length >= limit) break;
      if (skip > 0) {
        const total = await this.records.count('document', this.policyId, where);
        if (skip >= total) {
          skip -= total;
          continue;
        }
      }
      const range: RecordQuery = { offset: skip, limit: limit - rows.length, ...this.#bytes(left) };
      const documents = await find({ where, ...range, ...(order && { order }) });
      if (left !== undefined && source !== last) left -= jsonBytes(documents);
      for (const document of documents) rows.push({ document, tag });
      skip = 0;
    }
    return rows;
  }

  #bytes(bytes = this.pageBytes): Pick<RecordQuery, 'bytes'> {
    return bytes === undefined ? {} : { bytes: Math.max(0, bytes) };
  }

  async #findOrdered(
    selection: Selection,
    query: Omit<RecordQuery, 'where'>,
    find: FindDocuments,
  ): Promise<TaggedDocument[]> {
    const { sources } = selection;
    const where: Condition =
      sources.length === 1 && sources[0] ? sources[0].where : { any: sources.map((source) => source.where) };
    const documents = await find({ ...query, where, ...this.#bytes() });
    return documents.map((document) => ({
      document,
      tag: sources.find((source) => matches(document, source.where))?.tag ?? '',
    }));
  }
}

/** A document with the tag of its source. */
interface TaggedDocument {
  readonly document: DocumentRecord;
  readonly tag: string;
}

type FindDocuments = (query: RecordQuery) => Promise<readonly DocumentRecord[]>;

export interface DocumentLimits {
  /** Maximum stored size of one document in bytes. */
  readonly documentBytes: number;
}

export interface DocumentWriterDeps {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly limits: DocumentLimits;
  readonly usage: DocumentUsage;
}

export class PolicyDocumentsWriter extends PolicyDocuments implements DocumentWriter {
  constructor(
    private readonly unit: UnitOfWork,
    policyId: string,
    private readonly deps: DocumentWriterDeps,
    private readonly log: RunLog,
    private readonly budget?: Pick<WorkBudget, 'giveWay'>,
  ) {
    super(unit, policyId);
  }

  async add(input: DocumentInput, position = 0): Promise<DocumentRecord> {
    if (nestsTooDeep(input)) throw this.#invalid(position, 'it nests too deep', []);
    const parsed = documentInput.safeParse(input);
    if (!parsed.success) throw this.#invalid(position, z.prettifyError(parsed.error), toDetails(parsed.error));
    const nonJson = notJson(parsed.data);
    if (nonJson !== undefined) {
      const [path, message] = [pointerOf(nonJson.keys), `must be JSON, which holds no ${nonJson.type}`];
      throw this.#invalid(position, `${path} ${message}`, [{ path, message }]);
    }
    const now = isoNow(this.deps.clock);
    const document: DocumentRecord = {
      ...parsed.data,
      id: parsed.data.id ?? this.deps.ids.uuid(),
      policyId: this.policyId,
      dataType: parsed.data.dataType ?? collectionOf(parsed.data.document),
      option: parsed.data.option ?? {},
      createDate: parsed.data.createDate ?? now,
      updateDate: now,
    };
    // Generated ids cannot collide.
    if (parsed.data.id !== undefined && (await this.get(document.id)) !== undefined) {
      throw new BlockworkError('DOCUMENT_EXISTS', { facts: { policyId: this.policyId, documentId: document.id } });
    }
    await this.#put(null, document);
    this.log.document(document.id, 'added');
    return document;
  }

  async update(document: DocumentRecord, { inHistory = true } = {}): Promise<DocumentRecord> {
    const before = await this.get(document.id);
    if (before === undefined) {
      throw new BlockworkError('DOCUMENT_UNKNOWN', { facts: { policyId: this.policyId, documentId: document.id } });
    }
    // Grid rows carry their source; the stored document does not.
    const { __sourceTag__, ...changed } = document as DocumentRow;
    const after: DocumentRecord = {
      ...changed,
      policyId: this.policyId,
      createDate: before.createDate,
      updateDate: isoNow(this.deps.clock),
    };
    if (!sameJson(before.option, after.option)) await this.#recordHistory(before, inHistory ? after : null);
    await this.#put(before, after);
    this.log.document(after.id, 'changed');
    return after;
  }

  async remove(id: string): Promise<void> {
    const before = await this.get(id);
    if (before === undefined) {
      throw new BlockworkError('DOCUMENT_UNKNOWN', { facts: { policyId: this.policyId, documentId: id } });
    }
    await this.deps.usage.change(this.unit, this.policyId, before, null);
    this.unit.delete('document', this.policyId, id);
    this.log.document(id, 'removed');
  }

  async #put(before: DocumentRecord | null, document: DocumentRecord): Promise<void> {
    await this.budget?.giveWay();
    const copy = cloneJson(document);
    const limit = this.deps.limits.documentBytes;
    if (exceedsJsonBytes(copy, limit)) {
      const facts = { policyId: this.policyId, documentId: copy.id, bytes: jsonBytes(copy), limit };
      throw new BlockworkError('DOCUMENT_TOO_LARGE', { facts });
    }
    await this.deps.usage.change(this.unit, this.policyId, before, copy);
    if (before === null) this.unit.putNew('document', this.policyId, copy);
    else this.unit.putOwned('document', this.policyId, copy);
  }

  /** Records history lazily: the first state is written with the first change, which may itself be left out. */
  async #recordHistory(before: DocumentRecord, after: DocumentRecord | null): Promise<void> {
    const where: Condition = equalTo('documentId', before.id);
    const count = await this.records.count('document-state', this.policyId, where);
    if (count === 0) this.#putState(before, before.createDate);
    if (after !== null) this.#putState(after, after.updateDate);
  }

  #putState(document: DocumentRecord, created: string): void {
    const state = { id: this.deps.ids.uuid(), documentId: document.id, ...stateOf(document, created) };
    this.unit.putNew('document-state', this.policyId, cloneJson(state));
  }

  #invalid(position: number, reason: string, details: readonly ErrorDetail[]): BlockworkError {
    return new BlockworkError('DOCUMENT_INVALID', { facts: { policyId: this.policyId, position, reason }, details });
  }
}

/** Makes the sources disjoint by excluding from each what earlier ones match, so each document counts once. */
function segments(selection: Selection): readonly DocumentSource[] {
  const earlier: Condition[] = [];
  return selection.sources.map((source) => {
    const where = earlier.length === 0 ? source.where : allOf(source.where, { not: { any: [...earlier] } });
    earlier.push(source.where);
    return { ...source, where };
  });
}

function stateOf({ option, comment }: DocumentRecord, created: string): PastState {
  return { option, created, ...(typeof comment === 'string' && { comment }) };
}

const row = (document: DocumentRecord, tag: string): DocumentRow => {
  const shown = document as DocumentRow;
  shown.__sourceTag__ = tag;
  return shown;
};

function collectionOf(document: JsonObject): DocumentCollection {
  const types = Array.isArray(document.type) ? document.type : [document.type];
  return types.includes('VerifiablePresentation') ? 'vp-documents' : 'vc-documents';
}
