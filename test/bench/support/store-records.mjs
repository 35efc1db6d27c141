/** Records for the benchmark of the file store, and folders with many of them. */
import { importStore } from '@blockwork/store-lowdb';

const partition = 'policy';

/** About a kilobyte. */
export const record = (at) => ({
  id: `record-${at}`,
  policyId: partition,
  dataType: 'vc-documents',
  owner: `did:example:owner-${at % 100}`,
  option: { status: at % 3 === 0 ? 'Waiting' : 'Approved' },
  document: { at, text: 'x'.repeat(700) },
  createDate: '2026-01-01T00:00:00.000Z',
  updateDate: '2026-01-01T00:00:00.000Z',
});

export const put = (at) => ({ expect: {}, changes: [{ op: 'put', kind: 'document', partition, value: record(at) }] });

/** Makes the folder of a store with so many records. */
export async function fill(folder, size) {
  async function* lines() {
    yield Buffer.from('{"export":"blockwork-store","version":1,"commits":1}\n');
    for (let from = 0; from < size; from += 1000) {
      const some = Array.from({ length: Math.min(1000, size - from) }, (_, at) =>
        JSON.stringify({ kind: 'document', partition, value: record(from + at) }),
      );
      yield Buffer.from(`${some.join('\n')}\n`);
    }
    yield Buffer.from(`${JSON.stringify({ records: size, revisions: 0 })}\n`);
  }
  await importStore({ folder, from: lines() });
}
