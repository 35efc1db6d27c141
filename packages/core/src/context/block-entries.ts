/** A block's rows, shared by all users. */
import { equalTo, allOf } from '../records/index.js';
import type { BlockEntry, Condition, Json } from '../records/index.js';
import type { EntryReader, EntryWriter } from '../block-api/index.js';
import type { RecordReader, UnitOfWork } from '../transactions/index.js';

export class BlockEntries implements EntryReader {
  constructor(
    protected readonly records: RecordReader,
    protected readonly policyId: string,
    protected readonly tag: string,
  ) {}

  async find(key?: string): Promise<BlockEntry[]> {
    const mine: Condition = equalTo('tag', this.tag);
    const where = key === undefined ? mine : allOf(equalTo('key', key), mine);
    const entries = await this.records.find('block-entry', this.policyId, { where });
    const prefix = this.address('').length;
    return entries.map((entry) => ({ ...entry, id: entry.id.slice(prefix) }));
  }

  async get(id: string): Promise<BlockEntry | undefined> {
    const entry = await this.records.get('block-entry', this.policyId, this.address(id));
    return entry && { ...entry, id };
  }

  /** Row ids are unique per block only. */
  protected address(id: string): string {
    return `${String(this.tag.length)}/${this.tag}/${id}`;
  }
}

export class WritableBlockEntries extends BlockEntries implements EntryWriter {
  constructor(
    private readonly unit: UnitOfWork,
    policyId: string,
    tag: string,
  ) {
    super(unit, policyId, tag);
  }

  put({ id, key, value }: { readonly id: string; readonly key: string; readonly value: Json }): Promise<void> {
    this.unit.put('block-entry', this.policyId, { id: this.address(id), tag: this.tag, key, value });
    return Promise.resolve();
  }

  remove(id: string): Promise<void> {
    this.unit.delete('block-entry', this.policyId, this.address(id));
    return Promise.resolve();
  }
}
