/** Sample records and changes for the cases. */
import type { DocumentRecord } from '@blockwork/core';
import type { Change, Json, PolicyStore, RecordQuery } from '@blockwork/core/adapter';

/** The partition that cases write to unless they are about partitions. */
export const partition = 'policy-1';

/** A document; `members` override or extend the required ones. */
export const doc = (id: string, members: Readonly<Record<string, Json>> = {}): DocumentRecord => ({
  id,
  policyId: partition,
  dataType: 'vc-documents',
  owner: 'did:example:owner',
  option: {},
  document: {},
  createDate: '2026-01-01T00:00:00.000Z',
  updateDate: '2026-01-01T00:00:00.000Z',
  ...members,
});

export const put = (id: string, members: Readonly<Record<string, Json>> = {}, into = partition): Change => ({
  op: 'put',
  kind: 'document',
  partition: into,
  value: doc(id, members),
});

export const remove = (id: string, from = partition): Change => ({
  op: 'delete',
  kind: 'document',
  partition: from,
  id,
});

export const commit = (store: PolicyStore, ...changes: Change[]): Promise<void> =>
  store.commit({ expect: {}, changes });

/** The ids that a query returns, in order. */
export const ids = async (store: PolicyStore, query?: RecordQuery, from = partition): Promise<string[]> =>
  (await store.find('document', from, query)).map(({ id }) => id);
