/** A shared counter: each increment reads it, adds one, and retries on a conflict. */
import { isBlockworkError, type PolicyStore } from '@blockwork/core';

export const partition = 'counter';

export async function counted(store: PolicyStore): Promise<number> {
  const record = await store.get('document', partition, 'counter');
  return Number(record?.document['n'] ?? 0);
}

/** Adds one, and a record of that. Resolves to the number of attempts. */
export async function addOne(store: PolicyStore, by: string): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    const revision = await store.revision(partition);
    const n = (await counted(store)) + 1;
    const document = (id: string): object => ({
      id,
      dataType: 'vc-documents',
      type: `by ${by}`,
      option: {},
      document: { n },
    });
    const puts = ['counter', `${by}-${n}`].map((id) => ({
      op: 'put',
      kind: 'document',
      partition,
      value: document(id),
    }));
    try {
      await store.commit({ expect: { [partition]: revision }, changes: puts as never });
      return attempt;
    } catch (error) {
      if (!isBlockworkError(error, 'CONFLICT')) throw error;
    }
  }
}
