import { MemoryStore } from '../memory/store/memory-store.js';
import { INSTANCE, type RemoteRequest } from '@blockwork/core/records';
import { SimulatedClock } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { requestRow } from '../../test/request-row.js';
import { PeerQuota } from './peer-quota.js';

const bytesOf = (row: RemoteRequest): number => Buffer.byteLength(JSON.stringify(row));

function world(limits: Partial<{ peerRequests: number; peerBytes: number }> = {}) {
  const store = new MemoryStore();
  const clock = new SimulatedClock();
  const quota = new PeerQuota({ store, clock, limits: { peerRequests: 3, peerBytes: 1e6, ...limits } });
  const written = (rows: readonly RemoteRequest[]) =>
    rows.map((value) => ({ op: 'put', kind: 'request', partition: INSTANCE, value }) as const);
  /** By another process, so the quota does not hear of it. */
  const elsewhere = (...rows: RemoteRequest[]) => store.commit({ expect: {}, changes: written(rows) });
  const commit = async (...rows: RemoteRequest[]): Promise<void> => {
    await elsewhere(...rows);
    quota.committed({ expect: {}, changes: written(rows) });
  };
  const take = async (row: RemoteRequest): Promise<void> => {
    await quota.admit(row);
    await commit(row);
  };
  return { quota, clock, commit, elsewhere, take };
}

const row = (id: string, more: Partial<RemoteRequest> = {}): RemoteRequest => requestRow({ id, ...more });
const excessive = { reason: 'excessive' };

describe('the quota of a peer', () => {
  it('refuses a request more than may be open, until one of them is closed', async () => {
    const { quota, commit, take } = world();
    for (const id of ['a', 'b', 'c']) await take(row(id));
    await expect(quota.admit(row('d'))).rejects.toMatchObject({ ...excessive, instance: 'north' });
    await commit(row('b', { status: 'COMPLETED' }));
    await take(row('d'));
    await expect(quota.admit(row('e'))).rejects.toMatchObject(excessive);
  });

  it('is of each peer by itself, and asks nothing of requests that go out', async () => {
    const { quota, commit, take } = world();
    for (const id of ['a', 'b', 'c']) await take(row(id));
    await commit(row('out', { direction: 'outgoing', sender: { instance: 'west', did: 'did:west:ana' } }));
    const ofWest = { sender: { instance: 'west', did: 'did:west:ana' } };
    for (const id of ['w1', 'w2', 'w3']) await take(row(id, ofWest));
    await expect(quota.admit(row('w4', ofWest))).rejects.toMatchObject(excessive);
  });

  it('counts the bytes of closed requests as well, and those of removed ones no more', async () => {
    const size = bytesOf(row('a', { status: 'CANCELED' }));
    const { quota, take } = world({ peerBytes: 3 * size });
    for (const id of ['a', 'b', 'c']) await take(row(id, { status: 'CANCELED' }));
    await expect(quota.admit(row('d', { status: 'CANCELED' }))).rejects.toMatchObject(excessive);
    quota.committed({ expect: {}, changes: [{ op: 'delete', kind: 'request', partition: INSTANCE, id: 'a' }] });
    await quota.admit(row('d', { status: 'CANCELED' }));
  });

  it('knows what was there when the process began', async () => {
    const { quota, elsewhere } = world();
    await elsewhere(...Array.from({ length: 60 }, (_, at) => row(`r${at}`, { status: at < 57 ? 'EXPIRED' : 'NEW' })));
    await expect(quota.admit(row('next'))).rejects.toMatchObject(excessive);
  });

  it('looks again, though not at each message, before it refuses what other processes may have made room for', async () => {
    const { quota, clock, elsewhere, take } = world();
    for (const id of ['a', 'b', 'c']) await take(row(id));
    await elsewhere(row('a', { status: 'REJECTED' }));
    await expect(quota.admit(row('d'))).rejects.toMatchObject(excessive);
    clock.advance(10_001);
    await quota.admit(row('d'));
  });
});
