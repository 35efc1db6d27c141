/** When an operator last said to go on: what the network refused before is tried again, by every process on the store. */
import { isBlockworkError, type PolicyStore } from '@blockwork/core';
import type { Change } from '@blockwork/core/adapter';
import { INSTANCE_PARTITION } from '../transactions/partition.js';

const ID = 'resumption';
const KEY = 'ledger-resumption';

export class Resumptions {
  /** The number of resumptions that there had been when a row was refused, by the row's id. */
  readonly #refused = new Map<string, number>();

  constructor(private readonly store: Pick<PolicyStore, 'get' | 'revision' | 'commit'>) {}

  /** Tries everything again that was refused, in this process only. */
  forget(): void {
    this.#refused.clear();
  }

  /** `more`: what changes in the same commit. */
  async resume(more: () => Promise<readonly Change[]>): Promise<void> {
    this.forget();
    while (!(await this.#counted(more)));
  }

  /** `false` if another process has counted meanwhile. */
  async #counted(more: () => Promise<readonly Change[]>): Promise<boolean> {
    const revision = await this.store.revision(KEY);
    const content = { count: (await this.#count()) + 1 };
    const value = { id: ID, effectId: '', state: 'resumption', content };
    const change = { op: 'put', kind: 'ledger-row', partition: INSTANCE_PARTITION, value } as const;
    try {
      await this.store.commit({ expect: { [KEY]: revision }, changes: [change, ...(await more())] });
      return true;
    } catch (error) {
      if (!isBlockworkError(error, 'CONFLICT')) throw error;
      return false;
    }
  }

  async refuse(rowId: string): Promise<void> {
    this.#refused.set(rowId, await this.#count());
  }

  /** Whether the row was refused since this process began, and nobody has said to go on since. */
  async isRefused(rowId: string): Promise<boolean> {
    const count = this.#refused.get(rowId);
    return count !== undefined && count === (await this.#count());
  }

  async #count(): Promise<number> {
    const record = await this.store.get('ledger-row', INSTANCE_PARTITION, ID);
    return Number(record?.content['count'] ?? 0);
  }
}
