/** One block's state for one user. */
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { blockStateId } from '../records/index.js';
import type { Json } from '../records/index.js';
import type { StateReader, StateWriter } from '../block-api/index.js';
import type { RecordReader, UnitOfWork } from '../transactions/index.js';

export class BlockMemory implements StateReader {
  constructor(
    private readonly records: RecordReader,
    protected readonly policyId: string,
    protected readonly tag: string,
    protected readonly user: string,
  ) {}

  async get<T>(schema: z.ZodType<T>): Promise<T | undefined> {
    const stored = await this.records.get('block-state', this.policyId, blockStateId(this.tag, this.user));
    if (stored === undefined) return undefined;
    const parsed = schema.safeParse(stored.value);
    return parsed.success ? parsed.data : undefined;
  }
}

export class WritableBlockMemory extends BlockMemory implements StateWriter {
  constructor(
    private readonly unit: UnitOfWork,
    policyId: string,
    tag: string,
    user: string,
  ) {
    super(unit, policyId, tag, user);
  }

  /** Skips the write if the value is unchanged. */
  async set(value: Json): Promise<void> {
    const { tag, user } = this;
    const id = blockStateId(tag, user);
    const stored = await this.unit.get('block-state', this.policyId, id);
    if (isDeepStrictEqual(stored?.value, value)) return;
    this.unit.put('block-state', this.policyId, { id, tag, user, value });
  }
}
